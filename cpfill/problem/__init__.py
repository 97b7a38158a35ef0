"""Problems and answers: what is searched, and what an answer is."""
