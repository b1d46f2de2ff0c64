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

/** File extensions, without the dot, to languages. An unknown language is its own extension. */
export function endingsOf(languages: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    languages.flatMap((language) => (EXTENSIONS[language] ?? [language]).map((end) => [end, language] as const)),
  )
}

export const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase()
