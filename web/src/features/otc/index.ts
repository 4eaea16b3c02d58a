/** What the operator's desk borrows: the same conversation, in the same words. */
export { Conversation } from './components/conversation.tsx';
export { QuotesWaiting } from './components/quotes-waiting.tsx';
export { useLeft } from './components/use-left.ts';
export { otcPalette } from './palette.ts';
export { stateTexts, stateTones } from './words.ts';
