// Every literal text of distributors (spec §2, §8).
export const NO_DISTRIBUTORS = 'No distributors found. Create one to get started.';
export const DISTRIBUTOR_CREATED = 'Distributor created successfully';
export const DISTRIBUTORS = 'Distributors';
export const DISTRIBUTORS_MEAN = 'Whoever is added is invited by e-mail, then runs distributions.';
export const ADD_DISTRIBUTOR = 'Add Distributor';
export const EMAIL = 'Email';
export const idText = (id: number): string => `ID ${id}`;
