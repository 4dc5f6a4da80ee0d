const number = new Intl.NumberFormat('en-US');

/** '1 product', '1,234 products'. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${number.format(n)} ${n === 1 ? one : many}`;
