// Shell commands of 4 KB, of different shapes.
const repeated = (piece: (n: number) => string, separator: string) => {
  const pieces: string[] = []
  for (let [n, length] = [0, 0]; length < 4096; n++) {
    pieces.push(piece(n))
    length += piece(n).length + separator.length
  }
  return pieces.join(separator)
}
export const LONG_COMMANDS: Record<string, string> = {
  chain: repeated((n) => `git log -${n} src/file-${n}.ts`, ' && '),
  files: `git add ${repeated((n) => `services/some/where/file-${n}.ts`, ' ')}`,
  text: `cat > src/a.ts <<'EOF'\n${repeated((n) => `export const name${n} = ${n}`, '\n')}\nEOF`,
  code: `python3 - <<'EOF'\n${repeated((n) => `print(${n})`, '\n')}\nEOF`,
  loops: repeated((n) => `for f${n} in src/*.ts; do head -5 "$f${n}"; done`, '; '),
  'nested loops': `for a in 1 2 3 4 5; do for b in 1 2 3; do ${repeated(() => 'head -1 $a $b src/file', '; ')}; done; done`,
  substitutions: repeated((n) => `echo "$(git log -${n} | head -3)"`, '; '),
  'nested substitutions': `${'echo $('.repeat(200)}ls${')'.repeat(200)}`,
  variables: repeated((n) => `V${n}=a${n}; wc -l "$V${n}"`, '; '),
  pipes: repeated(() => 'grep -v a', ' | '),
  folders: repeated((n) => `cd src; cat f${n}; cd ..`, '; '),
  'folders that are not there': repeated((n) => `cd n${n % 3}; cat ../f${n}`, '; '),
  redirections: repeated((n) => `echo ${n} > src/out${n}.txt`, '; '),
  branches: repeated((n) => `if [ -f a${n} ]; then cat a${n}; else echo no; fi`, '; '),
  options: `rm ${repeated(() => '-r', ' ')}`,
  'code for a shell': `bash -c '${repeated((n) => `git status; ls src/a${n}`, '; ')}'`,
  'unknown programs': repeated((n) => `my-tool a${n} b c`, '; '),
}
