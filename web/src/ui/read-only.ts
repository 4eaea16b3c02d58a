import { createContext } from 'react';

/** Why nothing is changed here, and why nothing is saved as a file: what the disabled buttons say. */
export interface ReadOnlyReasons {
  change: string;
  file: string;
}

/** Where nothing can be changed, steps forward, destructive steps, submits and downloads are disabled; null everywhere else. */
export const ReadOnly = createContext<ReadOnlyReasons | null>(null);
