"""What people write: experiments, suites, contestants; read and checked, errors with file and line."""
