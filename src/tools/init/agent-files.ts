// What init writes for agents: the guide, and the skills in the open form (agentskills.io), which repeat sections of the guide.
import { lstat, readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import { ownFile } from '../../core/app/context/own-file.ts';
import { ownName } from '../../lib/own-names.ts';
import { packaged } from '../package-files.ts';
import { npm } from './program.ts';

interface AgentFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

interface AgentFiles {
  readonly files: readonly AgentFile[];
  /** The AGENTS.md of people, beside which the guide is written. Undefined if there is none. */
  readonly ofPeople?: string;
}

const guidePath = 'examples/agents/guide.md';
/** The files of skills. Each is in the package below examples/agents as it is below .agents. */
const skillNames = ['skill', 'moveSkill'] as const;

/** Refused (1) where a link is in the place of a file. Nothing is written. */
export async function agentFiles(folder: string, program: string): Promise<AgentFiles> {
  const text = await readFile(packaged(guidePath), 'utf8');
  const guide = withProgram(program, text);
  const agents = `${folder}${sep}${ownName('agents')}`;
  const beside = ownFile(folder, 'agentsBeside');
  // A link is not followed: the file is that of people.
  const existing = await lstat(agents).catch(() => undefined);
  const existingText = existing?.isFile() === true ? await readFile(agents, 'utf8').catch(() => undefined) : undefined;
  const isOfPeople = existing !== undefined && existingText?.startsWith(guide.slice(0, guide.indexOf('\n'))) !== true;
  const skills = skillNames.map(async (name) => ({
    file: ownFile(folder, name),
    text: withProgram(program, withSections(await readFile(packaged(skillPath(name)), 'utf8'), text)),
  }));
  return {
    files: [{ file: isOfPeople ? beside : agents, text: guide }, ...(await Promise.all(skills))],
    ...(isOfPeople ? { ofPeople: agents } : {}),
  };
}

function skillPath(name: (typeof skillNames)[number]): string {
  return `examples/agents/${ownName(name).replace(/^\.agents\//u, '')}`;
}

/** Puts sections of the guide where the skill names them, so that a rule has one text. */
function withSections(skill: string, guide: string): string {
  const sections = guide.split(/^(?=## )/mu);
  return skill.replaceAll(/^<!-- guide\.md: (.+) -->$/gmu, (_mark, title: string) =>
    (sections.find((section) => section.startsWith(`## ${title}\n`)) ?? '').trimEnd(),
  );
}

/** The files name commands as `chatform …`. What an agent runs is written in the form that runs here. */
export function withProgram(words: string, text: string): string {
  return text
    .replaceAll(/^chatform (?=[a-z])/gmu, `${words} `)
    .replaceAll(/`chatform (?=commands |schema )/gu, `\`${words} `)
    .replace(`\`${npm.program} …\``, `\`${words} …\``);
}
