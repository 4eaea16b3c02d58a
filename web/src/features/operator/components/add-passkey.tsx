import type { CreationOptions } from '@causeway/contract/webauthn.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { loadPasskeys, PasskeyNameForm } from '../../identity/index.ts';
import { useAddPasskey, useStartPasskey } from '../api.ts';
import { ProofForm } from './proof-form.tsx';

/**
 * Adds a passkey in two steps: first the proof, then the name and the browser's own dialog. What the proof opened holds for
 * five minutes, so a browser's dialog that was closed by mistake can be opened again.
 */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const t = useText();
  const start = useStartPasskey();
  const add = useAddPasskey();
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
      await add.mutateAsync({ body: { name, response } });
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
        <ProofForm
          submitText={t('identity.continue')}
          onProved={async (body) => setOptions(await start.mutateAsync({ body }))}
          onCancel={onClose}
        />
      ) : (
        <PasskeyNameForm submitText={t('identity.passkey.create')} name="" onSubmit={make} onCancel={onClose} />
      )}
    </Dialog>
  );
}
