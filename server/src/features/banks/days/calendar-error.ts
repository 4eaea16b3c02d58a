/** A table of days that cannot be used; the message says where and why. */
export class BankCalendarError extends Error {}
