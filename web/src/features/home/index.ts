export { useHiddenFirstSteps } from './api.ts';
