// An agent that writes its WebSocket frames by hand: libraries refuse to send invalid UTF-8.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const FINAL_TEXT = 0x81
const MASKED = 0x80
/** Length that announces two more bytes of length. */
const TWO_BYTES = 126

export class RawAgent {
  readonly #socket: Socket

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  static async connect(address: string, path: string, token: string): Promise<RawAgent> {
    const { hostname, port, host } = new URL(address)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const lines = [
      `GET ${path} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      `Authorization: Bearer ${token}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    const [head] = (await once(socket, 'data')) as [Buffer]
    if (!head.toString('latin1').startsWith('HTTP/1.1 101 ')) throw new Error(`refused: ${head.toString('latin1')}`)
    // Frames of the daemon are not read.
    socket.resume()
    return new RawAgent(socket)
  }

  /** Sends one text frame; at most 65,535 bytes. */
  send(...parts: (string | Buffer)[]): void {
    const payload = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
    const length = Buffer.alloc(2)
    length.writeUInt16BE(payload.length)
    const mask = randomBytes(4)
    const masked = payload.map((byte, at) => byte ^ mask[at % mask.length]!)
    this.#socket.write(Buffer.concat([Buffer.from([FINAL_TEXT, MASKED | TWO_BYTES]), length, mask, masked]))
  }

  close(): void {
    this.#socket.destroy()
  }
}
