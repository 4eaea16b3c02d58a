export { createDiskStore, type ObjectStore } from './adapters/disk.ts';
export { filesJobs, filesSweep } from './jobs.ts';
export { registerFilesRoutes } from './routes.ts';
export {
  AlteredFileError,
  checkUpload,
  type FilesPorts,
  findFiles,
  findFilesOf,
  readBytes,
  readFile,
  storeBytes,
  storeFile,
} from './service.ts';
