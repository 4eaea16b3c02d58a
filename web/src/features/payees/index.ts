export { choiceSize, usePayee, usePayeeChoice } from './api.ts';
export { payeePalette } from './palette.ts';
