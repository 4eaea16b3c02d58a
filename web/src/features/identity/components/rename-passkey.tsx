import type { Passkey } from '@causeway/contract/identity-account.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useRenamePasskey } from '../api.ts';
import { PasskeyNameForm } from './passkey-name-form.tsx';

/** Another name for a passkey. */
export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useText();
  const rename = useRenamePasskey();
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={t('identity.passkey.renameTitle')}>
      <PasskeyNameForm
        name={passkey.name}
        submitText={t('identity.save')}
        onCancel={onClose}
        onSubmit={async ({ name }) => {
          await rename.mutateAsync({ params: { id: passkey.id }, body: { name } });
          toast('success', t('identity.passkey.renamed'));
          onClose();
        }}
      />
    </Dialog>
  );
}
