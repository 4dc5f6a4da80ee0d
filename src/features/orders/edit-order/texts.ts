export const LOSSES_CHANGED = 'The weights or payments of this order were changed elsewhere. Reload to see them.';
export const REFUND_QUESTION = 'Save although a refund will be due?';
