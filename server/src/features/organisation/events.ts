/** What organisation announces. */
export const organisationEvents = {
  /** Something was done that the controls of the company rest on: `ControlChanged`. */
  controlChanged: 'organisation.controlChanged',
} as const;

export type ControlChange =
  | 'memberAdded'
  | 'memberEnabled'
  | 'memberDisabled'
  | 'memberDeleted'
  | 'memberRole'
  | 'memberReset'
  | 'memberLeave'
  | 'memberBack'
  | 'roleChanged'
  | 'codeRecipient';

/** `{ text }` is the id of a sentence. */
export type ControlValues = Record<string, string | { text: string }>;

/** `id` is the change's own: told twice, it is still one. `to`: those who are to know of it, as they were at that moment. */
export interface ControlChanged {
  id: string;
  what: ControlChange;
  values: ControlValues;
  link: string;
  to: readonly string[];
}
