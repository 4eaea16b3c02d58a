import { getPasswordKey } from 'virtual:calls/identity';
import { send } from '../../lib/client.ts';
import { sealingBy } from './sealing.ts';

/** The passwords of a company's members. */
export const { passwordKey, withSealed } = sealingBy(() => send(getPasswordKey, {}));
