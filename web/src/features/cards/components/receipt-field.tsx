import { fileTypes, maxFileBytes } from '@causeway/contract/files-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { FileDrop, type UploadedFile } from '../../../ui/file-drop.tsx';
import type { FileRules } from '../../../ui/file-rules.ts';
import { uploadReceipt } from '../api.ts';

/** What a browser says of an iPhone's own format, and what it is called where the browser does not know it. */
const isHeic = ({ type, name }: Pick<File, 'type' | 'name'>) =>
  /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);

/** One PDF or photo. A phone that takes HEIC converts it by itself, since it is not among the types. */
const rules: FileRules = {
  types: fileTypes,
  largest_bytes: maxFileBytes,
  most: 1,
  refuse: (file) => (isHeic(file) ? 'cards.receipt.heic' : null),
};

interface Props {
  value: readonly UploadedFile[];
  onChange: (files: readonly UploadedFile[]) => void;
  error?: string | undefined;
  onUploading: (uploading: boolean) => void;
}

/** The file of a receipt; on a phone a photo that is taken at once. */
export function ReceiptField(props: Props) {
  const t = useText();
  return (
    <FileDrop
      label={t('cards.receipt.file')}
      rules={rules}
      photo={t('cards.receipt.photo')}
      onUpload={uploadReceipt}
      {...props}
    />
  );
}
