// Support: how a program that a test starts tells its peak memory.

/**
 * JavaScript for the peak resident size in KiB of the process that evaluates it. On Linux, `maxRSS` of a process is at least the size
 * of the one that started it, so the kernel is asked for that of the program itself.
 */
export const peakKb = `(() => {
  try {
    return Number(/^VmHWM:\\s+(\\d+)/mu.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
})()`;
