"""What everything stands on: errors, the machine, compiled kernels, the GPU driver, files, jobs."""
