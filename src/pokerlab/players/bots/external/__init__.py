"""Players outside this process: programs and connections that speak the ACPC protocol."""
