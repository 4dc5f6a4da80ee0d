// Every literal text of distributors (spec §2, §8).
export const NO_DISTRIBUTORS = 'No distributors found. Create one to get started.';
export const DISTRIBUTOR_CREATED = 'Distributor created successfully';
