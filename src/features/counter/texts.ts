// The UI texts of the counter (contract §14).
export const NO_MARK = 'The mark must be one of an earlier reply.';
