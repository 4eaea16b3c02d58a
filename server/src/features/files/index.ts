export { createDiskStore, type ObjectStore } from './adapters/disk.ts';
export { filesJobs, filesSweep } from './jobs.ts';
export { registerFilesRoutes } from './routes.ts';
export { checkUpload, findFiles, findFilesOf, readBytes, storeBytes } from './service.ts';
