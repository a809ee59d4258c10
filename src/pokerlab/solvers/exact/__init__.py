"""Equilibria without iterations: linear programs, and pure equilibria by enumeration."""
