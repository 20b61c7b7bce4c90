// Makes what can be given to people who have no Node: npm run package -- OUT [--from ARCHIVE] [PACKAGE…]
//
// OUT gets the archive of npm pack, the context of a container image, and a single executable for this system. Further packages,
// such as @aws-sdk/client-s3 for state in a bucket, are installed beside chatform in both.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative, resolve } from 'node:path';
import { arch, execPath, platform } from 'node:process';
import { serialize } from 'node:v8';
import { gzipSync } from 'node:zlib';

const project = join(import.meta.dirname, '../../..');
/** A mark in the official builds of Node, where the embedded code is announced. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

export interface MadePackages {
  readonly archive: string;
  /** The folder from which an image is built. */
  readonly image: string;
  /** Absent on systems where it cannot be made. */
  readonly executable: string | undefined;
}

/** `out` must be absolute. Without an archive one is packed, which builds the program. */
export function makePackages(out: string, from: string | undefined, packages: readonly string[] = []): MadePackages {
  mkdirSync(out, { recursive: true });
  const archive = from ?? join(out, packed(out));
  const image = join(out, 'image');
  rmSync(image, { recursive: true, force: true });
  mkdirSync(image);
  copyFileSync(archive, join(image, 'chatform.tgz'));
  writeFileSync(join(image, 'package.json'), '{ "private": true }\n');
  npm(image, 'install', '--omit=dev', ...quietly, './chatform.tgz', ...packages);
  const executable = platform === 'linux' ? madeExecutable(out, image) : undefined;
  rmSync(join(image, 'node_modules'), { recursive: true });
  cpSync(join(project, 'examples/container/Containerfile'), join(image, 'Containerfile'));
  return { archive, image, executable };
}

function packed(out: string): string {
  const [pack] = JSON.parse(npm(project, 'pack', '--json', '--pack-destination', out)) as [
    { readonly filename: string },
  ];
  return basename(pack.filename);
}

/** The Node that runs this, with the installed packages inside. */
function madeExecutable(out: string, installed: string): string {
  const work = join(out, 'work');
  mkdirSync(work);
  try {
    const files = gzipSync(serialize(filesOf(installed)), { level: 9 });
    writeFileSync(join(work, 'files'), files);
    writeFileSync(join(work, 'digest'), createHash('sha256').update(files).digest('hex').slice(0, 16));
    const config = {
      main: join(import.meta.dirname, 'start.cjs'),
      output: join(work, 'blob'),
      disableExperimentalSEAWarning: true,
      assets: { files: join(work, 'files'), digest: join(work, 'digest') },
    };
    writeFileSync(join(work, 'config.json'), JSON.stringify(config));
    execFileSync(execPath, ['--experimental-sea-config', join(work, 'config.json')], { stdio: 'pipe' });
    const executable = join(out, `chatform-${platform}-${arch}`);
    copyFileSync(execPath, executable);
    chmodSync(executable, 0o755);
    const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
    const inject = [postject, executable, 'NODE_SEA_BLOB', join(work, 'blob'), '--sentinel-fuse', fuse];
    execFileSync(execPath, inject, { stdio: 'pipe' });
    return executable;
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** The files by path, without types, maps and pages of other packages, but with their licences. */
function filesOf(folder: string): ReadonlyMap<string, Buffer> {
  const files = new Map([['main.cjs', Buffer.from("import('./node_modules/chatform/dist/cli/main.js');\n")]]);
  for (const entry of readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    const isNeeded =
      path.startsWith(join('node_modules', 'chatform')) ||
      /^(?:licen[cs]e|notice)/iu.test(entry.name) ||
      !/\.(?:map|md|[cm]?ts)$/u.test(path);
    if (entry.isFile() && isNeeded) files.set(path, readFileSync(join(folder, path)));
  }
  return files;
}

function npm(folder: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

if (process.argv[1] === import.meta.filename) {
  const [out, ...rest] = process.argv.slice(2);
  if (out === undefined) throw new Error('Name the folder to write: npm run package -- OUT');
  const from = rest[0] === '--from' ? resolve(rest[1] ?? '') : undefined;
  const { archive, image, executable } = makePackages(resolve(out), from, from === undefined ? rest : rest.slice(2));
  for (const file of executable === undefined ? [archive] : [archive, executable]) {
    console.log(`${file}  ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  }
  console.log(`${image}  for: podman build --tag chatform ${image}`);
}
