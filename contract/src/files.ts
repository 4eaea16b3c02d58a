import * as z from 'zod/mini';
import { call } from './call.ts';
import { storedFileTypes } from './files-rules.ts';
import { id, instant } from './ids.ts';

export * from './files-rules.ts';

export const file = z.object({
  id,
  name: z.string(),
  type: z.enum(storedFileTypes),
  sizeBytes: z.number(),
  createdAt: instant,
});
export type StoredFile = z.output<typeof file>;

export const uploadFile = call({
  name: 'uploadFile',
  method: 'POST',
  path: '/web/file/upload',
  summary: 'Stores one file (multipart field `file`); its type is what its first bytes say.',
  access: 'transfer.create',
  upload: true,
  output: file,
  errors: ['fileTooLarge', 'fileTypeNotAllowed', 'fileEmpty', 'storageFull'],
});

export const downloadFile = call({
  name: 'downloadFile',
  method: 'GET',
  path: '/web/file/{id}',
  summary: 'The file itself, always as an attachment.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: z.null(),
  answer: 'file',
  errors: [],
});
