// The start of the single executable: unpacks the installed package, once for each version, and runs it.
//
// Code that is embedded into Node can load only what is built into Node, so the package needs files. They are in the user's own
// folder for caches, because they are executed, and a folder below the temporary folder may belong to somebody else.
const { randomUUID } = require('node:crypto');
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const { getAsset } = require('node:sea');
const { deserialize } = require('node:v8');
const { gunzipSync } = require('node:zlib');

/** Only a complete folder gets the name, so that a killed run, or two at once, do no harm. */
function unpacked() {
  const { XDG_CACHE_HOME: caches = '', HOME: home = '' } = process.env;
  const cache = isAbsolute(caches) ? caches : join(home, '.cache');
  const folder = join(cache, 'chatform', `executable-${getAsset('digest', 'utf8')}`);
  if (!isAbsolute(folder)) return unpackedForThisRun();
  if (existsSync(folder)) return folder;
  const part = `${folder}.${randomUUID()}`;
  try {
    unpackTo(part);
    renameSync(part, folder);
  } catch {
    // Another run was faster, or nothing can be written here.
    remove(part);
    if (!existsSync(folder)) return unpackedForThisRun();
  }
  return folder;
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is not there, because its parent is not a folder.
  }
}

/** Where there is no folder for caches that can be written. */
function unpackedForThisRun() {
  const folder = mkdtempSync(join(tmpdir(), 'chatform-'));
  process.on('exit', () => remove(folder));
  unpackTo(folder);
  return folder;
}

function unpackTo(folder) {
  const files = deserialize(gunzipSync(Buffer.from(getAsset('files'))));
  for (const [path, bytes] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, bytes);
  }
}

createRequire(join(unpacked(), 'main.cjs'))('./main.cjs');
