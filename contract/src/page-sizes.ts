/** How many rows a page of a list may have; in a query they are texts (`pageQuery` of `ids.ts`). */
export const pageSizes = [10, 20, 50, 100] as const;
