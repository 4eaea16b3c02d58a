import { useText } from '../../../lib/locale.tsx';
import { PasskeyDialog } from '../../identity/index.ts';
import { useAddPasskey, useStartPasskey } from '../api.ts';
import { ProofForm } from './proof-form.tsx';

export function AddPasskey({ onClose }: { onClose: () => void }) {
  const t = useText();
  const start = useStartPasskey();
  const add = useAddPasskey();
  return (
    <PasskeyDialog
      proof={(onProved) => (
        <ProofForm
          submitText={t('identity.continue')}
          onProved={async (body) => onProved(await start.mutateAsync({ body }))}
          onCancel={onClose}
        />
      )}
      add={(body) => add.mutateAsync({ body })}
      onClose={onClose}
    />
  );
}
