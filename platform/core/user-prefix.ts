/** Prefix of a command that runs a program as another OS user. */
export const userPrefix = (user: string): string[] =>
  process.getuid?.() === 0 ? ['runuser', '-u', user, '--'] : ['sudo', '-n', '-u', user, '--']
