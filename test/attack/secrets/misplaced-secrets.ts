// Manifests of agents that are faulty where a secret stands: each with one of its own.

/** `plant` makes a secret, named by how it is misplaced. */
export function misplacedSecrets(plant: (door: string) => string): string[] {
  const head = (name: string) => `name: ${name}\nworking_dir: /tmp\n`
  const below: Record<string, (secret: string) => string> = {
    'double quote left open': (secret) => `env:\n  A: "${secret}\n  B: x\n`,
    'single quote left open': (secret) => `env:\n  A: '${secret}\n  B: x\n`,
    'bracket left open': (secret) => `env: { A: ${secret}, B: [${secret}\n`,
    'wrong indentation': (secret) => `env:\n    A: x\n  B: ${secret}\n`,
    'text below a value': (secret) => `env:\n  A: x\n   ${secret}\nshell: fish\n`,
    tab: (secret) => `env:\n\tA: ${secret}\n`,
    'colon in a text': (secret) => `env:\n  A: b: ${secret}\n`,
    'unknown escape': (secret) => `env:\n  A: "\\${secret} \\x${secret}"\n`,
    'header of a block': (secret) => `env:\n  A: |${secret}\n    x\n`,
    'reserved character': (secret) => `env:\n  A: @${secret}\n`,
    'percent sign': (secret) => `env:\n  A: %${secret}\n`,
    'tag of a value': (secret) => `env:\n  A: !${secret} x\n`,
    'tag of the whole': (secret) => `env: !${secret} { A: x }\n`,
    'alias without anchor': (secret) => `env:\n  A: *${secret}\n`,
    'anchor at a list': (secret) => `env:\n  A: &${secret} [x]\n`,
    'anchored value that is used elsewhere': (secret) => `env:\n  A: &a ${secret}\nruntime: *a\nshell: *a\n`,
    'anchored mapping before': (secret) => `labels: &b { A: ${secret}, B: [x] }\nenv: *b\n`,
    'long anchored value': (secret) => `env:\n  A: &a ${secret}${'x'.repeat(100)}\nruntime: *a\n`,
    'merge key': (secret) => `env:\n  <<: { A: ${secret} }\n  B: x\n`,
    'key that stands twice': (secret) => `env:\n  ${secret}: x\n  ${secret}: y\n`,
    'value that stands twice': (secret) => `env:\n  A: ${secret}\n  A: ${secret}\n`,
    'assignment in a list': (secret) => `env:\n  - A=${secret}\n`,
    'assignment as a name': (secret) => `env:\n  A=${secret}: x\n`,
    'assignment without indentation': (secret) => `env:\nA=${secret}: x\n`,
    'assignment as a text': (secret) => `env: A=${secret}\n`,
    'name without value': (secret) => `env: { ${secret} }\n`,
    'complex key': (secret) => `env:\n  ? [${secret}]\n  : x\n`,
    'mapping as value': (secret) => `env:\n  A: { b: ${secret} }\n`,
    'misspelt member': (secret) => `enviroment: { A: ${secret} }\n`,
    'misspelt member, left open': (secret) => `enviroment: { A: "${secret}\n`,
    'escaped name of the member': (secret) => `"\\x65nv": { A: [${secret}] }\n`,
    'malformed variable': (secret) => `env:\n  A: \${${secret.replace('.', '_')}}${secret}\n`,
    'default with a variable': (secret) => `env:\n  A: \${B:-${secret}\${C}}\n`,
    'comment at a fault': (secret) => `env:\n  A: 5 # ${secret}\nshell: fish # ${secret}\n`,
    'secret of a trigger in an agent': (secret) => `source: { type: webhook, secret: ${secret} }\n`,
    'second document': (secret) => `env: { A: x }\n---\n${secret}\n`,
  }
  return Object.entries(below).map(([door, written], index) => head(`shape-${index}`) + written(plant(`YAML: ${door}`)))
}
