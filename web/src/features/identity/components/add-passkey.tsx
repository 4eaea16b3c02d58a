import type { User } from '@causeway/contract/identity.ts';
import { useText } from '../../../lib/locale.tsx';
import { useAddPasskey, useStartPasskey } from '../api.ts';
import { PasskeyDialog } from './passkey-dialog.tsx';
import { ProofForm } from './proof-form.tsx';

export function AddPasskey({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useText();
  const start = useStartPasskey();
  const add = useAddPasskey();
  return (
    <PasskeyDialog
      proof={(onProved) => (
        <ProofForm
          user={user}
          content={{ action: 'addPasskey' }}
          submitText={t('identity.continue')}
          onProved={async (proof) => onProved(await start.mutateAsync({ body: { proof } }))}
          onCancel={onClose}
        />
      )}
      add={(body) => add.mutateAsync({ body })}
      onClose={onClose}
    />
  );
}
