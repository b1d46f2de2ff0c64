// Which files are of which language, by their names.

const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  rust: ['rs'],
  python: ['py', 'pyi'],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  typescript: ['ts', 'tsx', 'mts', 'cts'],
  go: ['go'],
  java: ['java'],
  c: ['c', 'h'],
  cpp: ['cc', 'cpp', 'cxx', 'hpp', 'hh', 'hxx'],
  csharp: ['cs'],
  ruby: ['rb'],
  php: ['php'],
  bash: ['sh', 'bash'],
  kotlin: ['kt', 'kts'],
  swift: ['swift'],
  scala: ['scala'],
  lua: ['lua'],
  sql: ['sql'],
  html: ['html', 'htm'],
  css: ['css', 'scss'],
  markdown: ['md'],
  yaml: ['yaml', 'yml'],
  json: ['json'],
  toml: ['toml'],
}

/** Ends of file names (without the dot) to their language, of these languages alone; one without a name is its own end. */
export function endingsOf(languages: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    languages.flatMap((language) => (EXTENSIONS[language] ?? [language]).map((end) => [end, language] as const)),
  )
}

/** What follows the last dot of a file name, in lower case. */
export const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase()
