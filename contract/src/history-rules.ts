/** Over how many days, up to today, the history of the total can be asked for. */
export const historyPeriods = ['7', '30', '90'] as const;
export type HistoryPeriod = (typeof historyPeriods)[number];
