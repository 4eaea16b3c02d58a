import { lazy, Suspense, useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { BankTabs } from '../components/bank-tabs.tsx';
import { fileList } from '../lists/file-list.tsx';

// Most visits take no file in.
const UploadDialog = lazy(async () => ({ default: (await import('../components/upload-dialog.tsx')).UploadDialog }));

/** What banks have sent, the newest first, with what became of it. */
export function Page() {
  const t = useText();
  const read = useList(fileList);
  const mayUpload = usePermission('operator.exception') === true;
  const [uploading, setUploading] = useState(false);
  return (
    <Frame
      intro={t('ops.bankFiles.intro')}
      actions={mayUpload && <Button onClick={() => setUploading(true)}>{t('ops.bankUpload.open')}</Button>}
    >
      <BankTabs current="bankFiles" />
      <ListView list={fileList} read={read} />
      {uploading && (
        <Suspense>
          <UploadDialog onClose={() => setUploading(false)} />
        </Suspense>
      )}
    </Frame>
  );
}
