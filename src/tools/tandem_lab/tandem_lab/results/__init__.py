"""What a run leaves: records, histograms, figures, and the arithmetic on them."""
