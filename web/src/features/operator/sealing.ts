import { operatorPasswordKey } from 'virtual:calls/operator';
import { send } from '../../lib/client.ts';
import { sealingBy } from '../identity/index.ts';

/** The passwords of the operator's staff. */
export const { passwordKey, withSealed } = sealingBy(() => send(operatorPasswordKey, {}));
