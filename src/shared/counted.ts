const number = new Intl.NumberFormat('en-US');

/** '1,234'. */
export const numberText = (n: number): string => number.format(n);

/** '1 product', '1,234 products'. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${numberText(n)} ${n === 1 ? one : many}`;
