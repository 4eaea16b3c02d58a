export { choiceSize, usePayee, usePayeeChoice, useWaitingPayees } from './api.ts';
export { payeePalette } from './palette.ts';
