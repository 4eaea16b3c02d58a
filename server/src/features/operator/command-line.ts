/** What the operator's command line needs of this feature, apart from its index, which loads the whole console. */
export { refusalText, runCommand, runFileCommand, usage } from './command.ts';
export { RefusedError, UsageError } from './command-errors.ts';
