// Fails the run when a file was left open for the collector to close. Node 26 throws then, and earlier versions only warn.

function failForOpenFile({ message }: Error): void {
  if (message.startsWith('Closing file descriptor'))
    throw new Error(`${message}: close the FileHandle, however its reader ends.`);
}

// A worker runs this for each of its test files.
if (!process.listeners('warning').some(({ name }) => name === failForOpenFile.name))
  process.on('warning', failForOpenFile);
