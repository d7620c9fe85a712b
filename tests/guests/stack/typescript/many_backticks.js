// Templates that tag templates. Ends in TypeError or GuestCrashed.
result = "``".repeat(100_000);
