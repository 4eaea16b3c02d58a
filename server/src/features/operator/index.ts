export { refusalText, runCommand, UsageError, usage } from './command.ts';
