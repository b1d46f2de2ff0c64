const times = (part: string, size: number) => part.repeat(Math.max(1, Math.floor(size / part.length)))
const head = 'name: x\n'

/** Each has about `size` characters. */
export function hostileYaml(size: number): Record<string, string> {
  const members = Array.from({ length: Math.ceil(size / 12) }, (_, at) => `k${at}: ${at}\n`).join('')
  const bomb = Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [${times(`*a${at},`, 40)}1]\n`).join('')
  return {
    'flow lists': `${head}a: [${times('[],', size)}1]`,
    'flow maps': `${head}a: [${times('{a: 1},', size)}1]`,
    'flow words': `${head}tools: [${times('a,', size)}1]`,
    'block list': `${head}a:\n${times('- a\n', size)}`,
    'block map': head + members,
    'alias bomb': `${head}a0: &a0 x\n${bomb}${times('# c\n', size)}`,
    aliases: `${head}a: &a 1\nb: [${times('*a,', size)}1]`,
    anchors: times('&a ', size),
    brackets: times('[', size),
    'closing brackets': times(']', size),
    dashes: times('- ', size),
    'question marks': times('? a\n', size),
    colons: times(': ', size),
    'duplicate keys': times('a: 1\n', size),
    documents: times('---\nname: a\n', size),
    'empty documents': times('---\n', size),
    'document end markers': times('...\n', size),
    directives: `${times('%a b\n', size)}---\na: 1`,
    comments: `${times('# c\n', size)}${head}`,
    'blank lines': `${times('\n', size)}${head}`,
    'a long word': `name: ${times('x', size)}`,
    'a text of many lines': `name: ${times('x y\n  ', size)}`,
    'a quoted text': `name: "${times('x\\n', size)}"`,
    'quotes within quotes': `name: '${times("x''", size)}'`,
    'quotation marks': times('"', size),
    'a literal': `prompt: |\n${times('  x\n', size)}`,
    'a folded text': `prompt: >\n${times('  x\n', size)}`,
    'a long number': `name: ${times('1', size)}`,
    'almost a number': `name: ${times('1_', size)}.x`,
    tabs: `name:\n${times('\t', size)}`,
    tags: times('! ', size),
    'byte order marks': times('\uFEFF', size),
  }
}

export function ansiStorm(size: number): string {
  const part = `\u001b[2J\u001b[31m\u001b]0;title\u0007\u001b[999C\r${'x'.repeat(500)}\u001b[1A\u202e\u0000\u001b[?25l`
  return `${times(part, size)}${'y'.repeat(10_000)}\n${' '.repeat(100_000)}\u001b[`
}
