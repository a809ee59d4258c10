"""What commands share: output, progress, files, options."""
