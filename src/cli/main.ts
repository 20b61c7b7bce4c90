#!/usr/bin/env node
// How does chatform start? Reads the command line, runs one command, says what went wrong, exits with its code.
import { runCommandLine } from './command-line.ts';
import { nodeWorld } from './node-world.ts';

process.exitCode = await runCommandLine(nodeWorld());
