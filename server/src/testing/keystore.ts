/** What tests make their keystores with: opened many times, and protecting nothing. */
export const keystoreCost = { N: 2 ** 10, r: 8, p: 1 };
