const MIB = 1024 * 1024

/** Default limit of a request body, in bytes. */
export const BODY_LIMIT = MIB
/** Maximum bytes of a WebSocket frame. */
export const FRAME_LIMIT = 16 * MIB
/** Bytes buffered for a slow consumer before it is disconnected. */
export const READER_BACKLOG_LIMIT = 8 * MIB
/** Milliseconds to receive a whole request. */
export const RECEIVE_MS = 30_000
/** Bytes of a list from which it is compressed. */
export const COMPRESSED_FROM = 4096
/** Maximum characters of a path parameter; a longer one gets 404. */
export const PARAMETER_LIMIT = 4096
