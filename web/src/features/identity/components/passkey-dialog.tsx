import type { CreationOptions, RegistrationResponse } from '@causeway/contract/webauthn.ts';
import { type ReactNode, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { loadPasskeys } from '../load-passkeys.ts';
import { PasskeyNameForm } from './passkey-name-form.tsx';

interface Props {
  /** The form that proves the person; it hands over what the server then asks the browser for. */
  proof: (onProved: (options: CreationOptions) => void) => ReactNode;
  add: (passkey: { name: string; response: RegistrationResponse }) => Promise<unknown>;
  onClose: () => void;
}

/**
 * Adds a passkey in two steps: first the proof, then the name and the browser's own dialog. What the proof opened holds for
 * five minutes, so a browser's dialog that was closed by mistake can be opened again.
 */
export function PasskeyDialog({ proof, add, onClose }: Props) {
  const t = useText();
  const [options, setOptions] = useState<CreationOptions | null>(null);

  async function make({ name }: { name: string }): Promise<void> {
    if (options === null) return;
    const { makePasskey } = await loadPasskeys();
    const response = await makePasskey(options);
    if (typeof response === 'string') {
      toast('notice', t(`identity.passkey.${response}`));
      return;
    }
    try {
      await add({ name, response });
    } catch (error) {
      // A challenge serves once: the way leads over another proof.
      setOptions(null);
      throw error;
    }
    toast('success', t('identity.passkey.done'));
    onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('identity.passkey.addTitle')}
      description={t(options === null ? 'identity.passkey.addProof' : 'identity.passkey.addText')}
    >
      {options === null ? (
        proof(setOptions)
      ) : (
        <PasskeyNameForm submitText={t('identity.passkey.create')} name="" onSubmit={make} onCancel={onClose} />
      )}
    </Dialog>
  );
}
