// Command prefixes that run a program as the OS user of an agent.
export const prefixOf = (user: string): string[] =>
  process.getuid?.() === 0 ? ['runuser', '-u', user, '--'] : ['sudo', '-n', '-u', user, '--']
