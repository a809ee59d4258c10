"""What drives a GPU: `machine` compiles and runs kernels, whoever wrote them.

A folder with kernels registers their sources (`register_kernels`) when it is imported; what all of
them use of a GPU is in `kernels/` here.
"""
