--
-- PostgreSQL database dump
--

\restrict RjHotbNTznp5WeFQuRQfoKzicMxi4maAL72bLxRy2NewWfc3f6tjkQkUHYneZi2

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: ask_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: ask_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_audit_seq_seq OWNED BY public.ask_audit.seq;


--
-- Name: ask_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: ask_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_migrations_id_seq OWNED BY public.ask_migrations.id;


--
-- Name: ask_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: ask_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_migrations_lock_index_seq OWNED BY public.ask_migrations_lock.index;


--
-- Name: ask_questions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_questions (
    seq integer NOT NULL,
    question_id character varying(36) NOT NULL,
    notification_id character varying(36),
    check_type character varying(64) NOT NULL,
    question text NOT NULL,
    status character varying(16) NOT NULL,
    asked_at character varying(30) NOT NULL,
    expires_at character varying(30) NOT NULL,
    answer text
);


--
-- Name: ask_questions_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_questions_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_questions_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_questions_seq_seq OWNED BY public.ask_questions.seq;


--
-- Name: communicate_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: communicate_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_audit_seq_seq OWNED BY public.communicate_audit.seq;


--
-- Name: communicate_leftovers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_leftovers (
    seq integer NOT NULL,
    room_id character varying(36) NOT NULL
);


--
-- Name: communicate_leftovers_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_leftovers_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_leftovers_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_leftovers_seq_seq OWNED BY public.communicate_leftovers.seq;


--
-- Name: communicate_locks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_locks (
    seq integer NOT NULL,
    room_id character varying(36) NOT NULL,
    holder character varying(128) NOT NULL,
    holder_name text NOT NULL,
    purpose text NOT NULL,
    message_id character varying(36) NOT NULL,
    since character varying(30) NOT NULL,
    expires_at character varying(30) NOT NULL
);


--
-- Name: communicate_locks_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_locks_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_locks_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_locks_seq_seq OWNED BY public.communicate_locks.seq;


--
-- Name: communicate_messages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_messages (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    room_id character varying(36) NOT NULL,
    number integer NOT NULL,
    sender_id character varying(128) NOT NULL,
    sender_name text NOT NULL,
    sender_kind character varying(16) NOT NULL,
    content text NOT NULL,
    metadata text NOT NULL,
    reply_to character varying(36),
    status character varying(16) NOT NULL,
    created_at character varying(30) NOT NULL,
    taken_back integer DEFAULT 0 NOT NULL
);


--
-- Name: communicate_messages_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_messages_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_messages_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_messages_seq_seq OWNED BY public.communicate_messages.seq;


--
-- Name: communicate_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: communicate_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_migrations_id_seq OWNED BY public.communicate_migrations.id;


--
-- Name: communicate_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: communicate_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_migrations_lock_index_seq OWNED BY public.communicate_migrations_lock.index;


--
-- Name: communicate_participants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_participants (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    room_id character varying(36) NOT NULL,
    identifier character varying(128) NOT NULL,
    kind character varying(16) NOT NULL,
    display_name text NOT NULL,
    role character varying(16) NOT NULL,
    joined_at character varying(30) NOT NULL
);


--
-- Name: communicate_participants_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_participants_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_participants_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_participants_seq_seq OWNED BY public.communicate_participants.seq;


--
-- Name: communicate_rooms; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_rooms (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name character varying(128) NOT NULL,
    topic text,
    description text,
    room_type character varying(16) NOT NULL,
    created_by character varying(128) NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    posted integer DEFAULT 0 NOT NULL,
    deleted integer DEFAULT 0 NOT NULL
);


--
-- Name: communicate_rooms_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_rooms_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_rooms_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_rooms_seq_seq OWNED BY public.communicate_rooms.seq;


--
-- Name: controller_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: controller_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_audit_seq_seq OWNED BY public.controller_audit.seq;


--
-- Name: controller_cursors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_cursors (
    kind character varying(255) NOT NULL,
    cursor bigint NOT NULL
);


--
-- Name: controller_drift; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_drift (
    id character varying(255) NOT NULL,
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    path text NOT NULL,
    desired text NOT NULL,
    live text NOT NULL,
    last_applied text NOT NULL,
    actor character varying(255),
    request_id character varying(255),
    endpoint character varying(1024),
    first_seen character varying(255) NOT NULL,
    last_seen character varying(255) NOT NULL,
    resolution character varying(255),
    writers text DEFAULT '[]'::text NOT NULL,
    applied_digest character varying(255),
    live_digest character varying(255)
);


--
-- Name: controller_intents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_intents (
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    action character varying(255) NOT NULL,
    paths text NOT NULL,
    entry text
);


--
-- Name: controller_inventory; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_inventory (
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    source character varying(4096) NOT NULL,
    file character varying(4096) NOT NULL,
    line integer NOT NULL,
    "column" integer NOT NULL,
    live_id character varying(255),
    revision character varying(255),
    sync text NOT NULL,
    depends_on text NOT NULL,
    desired text NOT NULL,
    applied text,
    conditions text NOT NULL,
    deferred_since character varying(255),
    owed character varying(255),
    contested text,
    suspended text
);


--
-- Name: controller_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_migrations_id_seq OWNED BY public.controller_migrations.id;


--
-- Name: controller_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_migrations_lock_index_seq OWNED BY public.controller_migrations_lock.index;


--
-- Name: controller_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_runs (
    id character varying(255) NOT NULL,
    source character varying(4096) NOT NULL,
    revision character varying(255),
    status character varying(255) NOT NULL,
    actor character varying(255) NOT NULL,
    started_at character varying(255) NOT NULL,
    ended_at character varying(255),
    summary text NOT NULL,
    error text,
    diagnostics text DEFAULT '[]'::text NOT NULL,
    has_steps boolean DEFAULT false NOT NULL
);


--
-- Name: controller_sent; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_sent (
    seq integer NOT NULL,
    source character varying(4096) NOT NULL,
    input text NOT NULL
);


--
-- Name: controller_sent_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_sent_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_sent_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_sent_seq_seq OWNED BY public.controller_sent.seq;


--
-- Name: controller_sources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_sources (
    name character varying(4096) NOT NULL,
    location character varying(4096) NOT NULL,
    revision character varying(255),
    suspended boolean NOT NULL,
    observed_at character varying(255),
    attempted character varying(255),
    applied character varying(255),
    hold text
);


--
-- Name: controller_steps; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_steps (
    run_id character varying(255) NOT NULL,
    seq integer NOT NULL,
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    action character varying(255) NOT NULL,
    status character varying(255) NOT NULL,
    live_id character varying(255),
    error text,
    started_at character varying(255),
    ended_at character varying(255)
);


--
-- Name: docstore_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: docstore_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.docstore_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: docstore_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.docstore_audit_seq_seq OWNED BY public.docstore_audit.seq;


--
-- Name: docstore_document_words; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_document_words (
    rowid bigint NOT NULL,
    words tsvector NOT NULL
);


--
-- Name: docstore_documents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_documents (
    seq integer NOT NULL,
    id character varying(255) NOT NULL,
    title text NOT NULL,
    content text NOT NULL,
    tags text NOT NULL,
    created_by text NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    digest character varying(64) NOT NULL,
    revision integer NOT NULL,
    stamp text NOT NULL
);


--
-- Name: docstore_documents_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.docstore_documents_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: docstore_documents_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.docstore_documents_seq_seq OWNED BY public.docstore_documents.seq;


--
-- Name: docstore_memories; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_memories (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    content text NOT NULL,
    tags text NOT NULL,
    shared_with text NOT NULL,
    "references" text NOT NULL,
    type character varying(16) NOT NULL,
    created_by character varying(200) NOT NULL,
    visibility character varying(16) NOT NULL,
    supersedes character varying(36),
    superseded_by character varying(36),
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: docstore_memories_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.docstore_memories_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: docstore_memories_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.docstore_memories_seq_seq OWNED BY public.docstore_memories.seq;


--
-- Name: docstore_memory_tags; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_memory_tags (
    tag character varying(200) NOT NULL,
    memory integer NOT NULL
);


--
-- Name: docstore_memory_vectors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_memory_vectors (
    memory integer NOT NULL,
    model character varying(200) NOT NULL,
    vector text NOT NULL
);


--
-- Name: docstore_memory_viewers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_memory_viewers (
    viewer character varying(200) NOT NULL,
    memory integer NOT NULL
);


--
-- Name: docstore_memory_words; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_memory_words (
    rowid bigint NOT NULL,
    words tsvector NOT NULL
);


--
-- Name: docstore_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: docstore_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.docstore_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: docstore_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.docstore_migrations_id_seq OWNED BY public.docstore_migrations.id;


--
-- Name: docstore_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: docstore_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.docstore_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: docstore_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.docstore_migrations_lock_index_seq OWNED BY public.docstore_migrations_lock.index;


--
-- Name: docstore_tags; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_tags (
    tag character varying(100) NOT NULL,
    document integer NOT NULL
);


--
-- Name: host_leases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_leases (
    name character varying(256) NOT NULL,
    holder character varying(36) NOT NULL,
    token bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    about text
);


--
-- Name: host_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: host_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.host_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: host_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.host_migrations_id_seq OWNED BY public.host_migrations.id;


--
-- Name: host_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: host_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.host_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: host_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.host_migrations_lock_index_seq OWNED BY public.host_migrations_lock.index;


--
-- Name: index_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.index_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: index_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.index_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: index_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.index_audit_seq_seq OWNED BY public.index_audit.seq;


--
-- Name: index_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.index_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: index_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.index_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: index_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.index_migrations_id_seq OWNED BY public.index_migrations.id;


--
-- Name: index_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.index_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: index_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.index_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: index_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.index_migrations_lock_index_seq OWNED BY public.index_migrations_lock.index;


--
-- Name: index_repositories; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.index_repositories (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name character varying(128) NOT NULL,
    path text NOT NULL,
    root text NOT NULL,
    status character varying(16) NOT NULL,
    languages text,
    ignore text NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    last_indexed character varying(30),
    error_message text,
    model text,
    version integer DEFAULT 0 NOT NULL
);


--
-- Name: index_repositories_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.index_repositories_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: index_repositories_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.index_repositories_seq_seq OWNED BY public.index_repositories.seq;


--
-- Name: monitor_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.monitor_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: monitor_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.monitor_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: monitor_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.monitor_audit_seq_seq OWNED BY public.monitor_audit.seq;


--
-- Name: monitor_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.monitor_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: monitor_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.monitor_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: monitor_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.monitor_migrations_id_seq OWNED BY public.monitor_migrations.id;


--
-- Name: monitor_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.monitor_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: monitor_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.monitor_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: monitor_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.monitor_migrations_lock_index_seq OWNED BY public.monitor_migrations_lock.index;


--
-- Name: notify_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: notify_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_audit_seq_seq OWNED BY public.notify_audit.seq;


--
-- Name: notify_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: notify_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_migrations_id_seq OWNED BY public.notify_migrations.id;


--
-- Name: notify_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: notify_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_migrations_lock_index_seq OWNED BY public.notify_migrations_lock.index;


--
-- Name: notify_notifications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_notifications (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    source text NOT NULL,
    lifetime text NOT NULL,
    title text NOT NULL,
    message text NOT NULL,
    priority character varying(16) NOT NULL,
    requires_response boolean NOT NULL,
    status character varying(16) NOT NULL,
    response text,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    urgency integer NOT NULL,
    open integer NOT NULL,
    due_at character varying(30)
);


--
-- Name: notify_notifications_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_notifications_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_notifications_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_notifications_seq_seq OWNED BY public.notify_notifications.seq;


--
-- Name: notify_outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_outbox (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    channel character varying(64) NOT NULL,
    subject character varying(64) NOT NULL,
    payload text NOT NULL,
    digest character varying(64) NOT NULL,
    status character varying(16) NOT NULL,
    attempts integer NOT NULL,
    due_at character varying(30) NOT NULL,
    error text,
    created_at character varying(30) NOT NULL,
    ended_at character varying(30)
);


--
-- Name: notify_outbox_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_outbox_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_outbox_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_outbox_seq_seq OWNED BY public.notify_outbox.seq;


--
-- Name: orchestrator_agents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_agents (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name text NOT NULL,
    status character varying(16) NOT NULL,
    config text NOT NULL,
    launched_config text,
    token_hash character varying(64),
    launch_file text,
    worktree text,
    launches integer DEFAULT 0 NOT NULL,
    restarts integer DEFAULT 0 NOT NULL,
    last_error text,
    warnings text DEFAULT '[]'::text NOT NULL,
    prompt_due boolean DEFAULT false NOT NULL,
    program_session text,
    program_version text,
    session_number integer DEFAULT 1 NOT NULL,
    cost_seen double precision DEFAULT '0'::double precision NOT NULL,
    api_ms_seen double precision DEFAULT '0'::double precision NOT NULL,
    seen_frames text DEFAULT '[]'::text NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    lost_messages text DEFAULT '[]'::text NOT NULL,
    restart_due boolean DEFAULT false NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    purge_due boolean DEFAULT false NOT NULL
);


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_agents_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_agents_seq_seq OWNED BY public.orchestrator_agents.seq;


--
-- Name: orchestrator_approvals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_approvals (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    agent_id character varying(36) NOT NULL,
    request_id text NOT NULL,
    tool_name text NOT NULL,
    tool_input text NOT NULL,
    input_digest character varying(64) NOT NULL,
    launch integer NOT NULL,
    session_number integer NOT NULL,
    status character varying(16) NOT NULL,
    scope character varying(16),
    updated_input text,
    decided_by character varying(256),
    reason text,
    created_at character varying(30) NOT NULL,
    expires_at character varying(30) NOT NULL,
    decided_at character varying(30),
    delivered_at character varying(30),
    cause character varying(16),
    conversation text
);


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_approvals_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_approvals_seq_seq OWNED BY public.orchestrator_approvals.seq;


--
-- Name: orchestrator_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_audit_seq_seq OWNED BY public.orchestrator_audit.seq;


--
-- Name: orchestrator_chain_ends; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_chain_ends (
    seq integer NOT NULL,
    workflow_id character varying(36) NOT NULL,
    dispatch_id character varying(36) NOT NULL
);


--
-- Name: orchestrator_chain_ends_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_chain_ends_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_chain_ends_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_chain_ends_seq_seq OWNED BY public.orchestrator_chain_ends.seq;


--
-- Name: orchestrator_dispatches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_dispatches (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    workflow_id character varying(36) NOT NULL,
    source_id text NOT NULL,
    agent_id character varying(36) NOT NULL,
    prompt_sent text NOT NULL,
    status character varying(16) NOT NULL,
    trigger_type character varying(32) NOT NULL,
    attempt integer NOT NULL,
    error text,
    result text,
    usage text,
    created_at character varying(30) NOT NULL,
    dispatched_at character varying(30),
    completed_at character varying(30),
    task text,
    depth integer DEFAULT 0 NOT NULL
);


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_dispatches_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_dispatches_seq_seq OWNED BY public.orchestrator_dispatches.seq;


--
-- Name: orchestrator_firings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_firings (
    workflow_id character varying(36) NOT NULL,
    last_fired_at character varying(30),
    last_error text
);


--
-- Name: orchestrator_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_migrations_id_seq OWNED BY public.orchestrator_migrations.id;


--
-- Name: orchestrator_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_migrations_lock_index_seq OWNED BY public.orchestrator_migrations_lock.index;


--
-- Name: orchestrator_policies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_policies (
    name character varying(256) NOT NULL,
    mode character varying(32) NOT NULL,
    tools text NOT NULL,
    description text,
    version integer DEFAULT 1 NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_prompts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_prompts (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    agent_id character varying(36) NOT NULL,
    kind character varying(16) NOT NULL,
    rank integer NOT NULL,
    content text NOT NULL,
    dispatch_id character varying(36),
    policy text,
    status character varying(16) NOT NULL,
    error text,
    created_at character varying(30) NOT NULL,
    sent_at character varying(30),
    done_at character varying(30),
    result text
);


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_prompts_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_prompts_seq_seq OWNED BY public.orchestrator_prompts.seq;


--
-- Name: orchestrator_queue_tasks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_queue_tasks (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    queue_name character varying(64) NOT NULL,
    status character varying(16) NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    priority integer NOT NULL,
    retry_count integer NOT NULL,
    max_retries integer NOT NULL,
    dispatch_id character varying(36),
    error text,
    created_at character varying(30) NOT NULL,
    visible_at character varying(30) NOT NULL,
    ended_at character varying(30)
);


--
-- Name: orchestrator_queue_tasks_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_queue_tasks_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_queue_tasks_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_queue_tasks_seq_seq OWNED BY public.orchestrator_queue_tasks.seq;


--
-- Name: orchestrator_room_cursors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_room_cursors (
    room_id character varying(36) NOT NULL,
    message_id character varying(36) NOT NULL
);


--
-- Name: orchestrator_room_members; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_room_members (
    agent_id character varying(36) NOT NULL,
    room character varying(128) NOT NULL,
    role character varying(16) NOT NULL
);


--
-- Name: orchestrator_room_prompts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_room_prompts (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    prompt_id character varying(36),
    agent_id character varying(36) NOT NULL,
    sender_id character varying(128) NOT NULL,
    room_id character varying(36) NOT NULL,
    message_id character varying(36) NOT NULL,
    kind character varying(16) NOT NULL,
    hops integer NOT NULL,
    status character varying(16) NOT NULL,
    content text,
    error text,
    created_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_room_prompts_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_room_prompts_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_room_prompts_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_room_prompts_seq_seq OWNED BY public.orchestrator_room_prompts.seq;


--
-- Name: orchestrator_seen_tasks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_seen_tasks (
    workflow_id character varying(36) NOT NULL,
    name character varying(255) NOT NULL
);


--
-- Name: orchestrator_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_sessions (
    agent_id character varying(36) NOT NULL,
    number integer NOT NULL,
    input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    output_tokens double precision DEFAULT '0'::double precision NOT NULL,
    cache_read_input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    cache_creation_input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    total_cost_usd double precision DEFAULT '0'::double precision NOT NULL,
    num_turns double precision DEFAULT '0'::double precision NOT NULL,
    duration_ms double precision DEFAULT '0'::double precision NOT NULL,
    duration_api_ms double precision DEFAULT '0'::double precision NOT NULL,
    result_count double precision DEFAULT '0'::double precision NOT NULL,
    started_at character varying(30),
    ended_at character varying(30)
);


--
-- Name: orchestrator_transcript; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_transcript (
    seq integer NOT NULL,
    agent_id character varying(36) NOT NULL,
    type character varying(64) NOT NULL,
    content text NOT NULL,
    details text,
    "timestamp" character varying(30) NOT NULL
);


--
-- Name: orchestrator_transcript_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_transcript_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_transcript_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_transcript_seq_seq OWNED BY public.orchestrator_transcript.seq;


--
-- Name: orchestrator_trigger_cursors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_trigger_cursors (
    workflow_id character varying(36) NOT NULL,
    cursor text NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_workflows; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_workflows (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name character varying(256) NOT NULL,
    agent_id character varying(36) NOT NULL,
    trigger_config text NOT NULL,
    prompt_template text NOT NULL,
    poll_interval_secs integer NOT NULL,
    enabled boolean NOT NULL,
    tool_policy text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    on_restart character varying(16),
    finished boolean DEFAULT false NOT NULL
);


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_workflows_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_workflows_seq_seq OWNED BY public.orchestrator_workflows.seq;


--
-- Name: wrap_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: wrap_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_audit_seq_seq OWNED BY public.wrap_audit.seq;


--
-- Name: wrap_launches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_launches (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    session_name character varying(128) NOT NULL,
    project_path text NOT NULL,
    model_provider text NOT NULL,
    model_name text NOT NULL,
    agent_type character varying(16) NOT NULL,
    created_at character varying(30) NOT NULL
);


--
-- Name: wrap_launches_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_launches_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_launches_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_launches_seq_seq OWNED BY public.wrap_launches.seq;


--
-- Name: wrap_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: wrap_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_migrations_id_seq OWNED BY public.wrap_migrations.id;


--
-- Name: wrap_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: wrap_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_migrations_lock_index_seq OWNED BY public.wrap_migrations_lock.index;


--
-- Name: ask_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_audit ALTER COLUMN seq SET DEFAULT nextval('public.ask_audit_seq_seq'::regclass);


--
-- Name: ask_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations ALTER COLUMN id SET DEFAULT nextval('public.ask_migrations_id_seq'::regclass);


--
-- Name: ask_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.ask_migrations_lock_index_seq'::regclass);


--
-- Name: ask_questions seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_questions ALTER COLUMN seq SET DEFAULT nextval('public.ask_questions_seq_seq'::regclass);


--
-- Name: communicate_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_audit ALTER COLUMN seq SET DEFAULT nextval('public.communicate_audit_seq_seq'::regclass);


--
-- Name: communicate_leftovers seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_leftovers ALTER COLUMN seq SET DEFAULT nextval('public.communicate_leftovers_seq_seq'::regclass);


--
-- Name: communicate_locks seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_locks ALTER COLUMN seq SET DEFAULT nextval('public.communicate_locks_seq_seq'::regclass);


--
-- Name: communicate_messages seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_messages ALTER COLUMN seq SET DEFAULT nextval('public.communicate_messages_seq_seq'::regclass);


--
-- Name: communicate_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_migrations ALTER COLUMN id SET DEFAULT nextval('public.communicate_migrations_id_seq'::regclass);


--
-- Name: communicate_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.communicate_migrations_lock_index_seq'::regclass);


--
-- Name: communicate_participants seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_participants ALTER COLUMN seq SET DEFAULT nextval('public.communicate_participants_seq_seq'::regclass);


--
-- Name: communicate_rooms seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_rooms ALTER COLUMN seq SET DEFAULT nextval('public.communicate_rooms_seq_seq'::regclass);


--
-- Name: controller_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_audit ALTER COLUMN seq SET DEFAULT nextval('public.controller_audit_seq_seq'::regclass);


--
-- Name: controller_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations ALTER COLUMN id SET DEFAULT nextval('public.controller_migrations_id_seq'::regclass);


--
-- Name: controller_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.controller_migrations_lock_index_seq'::regclass);


--
-- Name: controller_sent seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_sent ALTER COLUMN seq SET DEFAULT nextval('public.controller_sent_seq_seq'::regclass);


--
-- Name: docstore_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_audit ALTER COLUMN seq SET DEFAULT nextval('public.docstore_audit_seq_seq'::regclass);


--
-- Name: docstore_documents seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_documents ALTER COLUMN seq SET DEFAULT nextval('public.docstore_documents_seq_seq'::regclass);


--
-- Name: docstore_memories seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memories ALTER COLUMN seq SET DEFAULT nextval('public.docstore_memories_seq_seq'::regclass);


--
-- Name: docstore_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_migrations ALTER COLUMN id SET DEFAULT nextval('public.docstore_migrations_id_seq'::regclass);


--
-- Name: docstore_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.docstore_migrations_lock_index_seq'::regclass);


--
-- Name: host_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations ALTER COLUMN id SET DEFAULT nextval('public.host_migrations_id_seq'::regclass);


--
-- Name: host_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.host_migrations_lock_index_seq'::regclass);


--
-- Name: index_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_audit ALTER COLUMN seq SET DEFAULT nextval('public.index_audit_seq_seq'::regclass);


--
-- Name: index_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_migrations ALTER COLUMN id SET DEFAULT nextval('public.index_migrations_id_seq'::regclass);


--
-- Name: index_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.index_migrations_lock_index_seq'::regclass);


--
-- Name: index_repositories seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_repositories ALTER COLUMN seq SET DEFAULT nextval('public.index_repositories_seq_seq'::regclass);


--
-- Name: monitor_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_audit ALTER COLUMN seq SET DEFAULT nextval('public.monitor_audit_seq_seq'::regclass);


--
-- Name: monitor_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations ALTER COLUMN id SET DEFAULT nextval('public.monitor_migrations_id_seq'::regclass);


--
-- Name: monitor_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.monitor_migrations_lock_index_seq'::regclass);


--
-- Name: notify_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_audit ALTER COLUMN seq SET DEFAULT nextval('public.notify_audit_seq_seq'::regclass);


--
-- Name: notify_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations ALTER COLUMN id SET DEFAULT nextval('public.notify_migrations_id_seq'::regclass);


--
-- Name: notify_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.notify_migrations_lock_index_seq'::regclass);


--
-- Name: notify_notifications seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_notifications ALTER COLUMN seq SET DEFAULT nextval('public.notify_notifications_seq_seq'::regclass);


--
-- Name: notify_outbox seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_outbox ALTER COLUMN seq SET DEFAULT nextval('public.notify_outbox_seq_seq'::regclass);


--
-- Name: orchestrator_agents seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_agents_seq_seq'::regclass);


--
-- Name: orchestrator_approvals seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_approvals_seq_seq'::regclass);


--
-- Name: orchestrator_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_audit ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_audit_seq_seq'::regclass);


--
-- Name: orchestrator_chain_ends seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_chain_ends ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_chain_ends_seq_seq'::regclass);


--
-- Name: orchestrator_dispatches seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_dispatches_seq_seq'::regclass);


--
-- Name: orchestrator_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations ALTER COLUMN id SET DEFAULT nextval('public.orchestrator_migrations_id_seq'::regclass);


--
-- Name: orchestrator_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.orchestrator_migrations_lock_index_seq'::regclass);


--
-- Name: orchestrator_prompts seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_prompts_seq_seq'::regclass);


--
-- Name: orchestrator_queue_tasks seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_queue_tasks ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_queue_tasks_seq_seq'::regclass);


--
-- Name: orchestrator_room_prompts seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_prompts ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_room_prompts_seq_seq'::regclass);


--
-- Name: orchestrator_transcript seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_transcript ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_transcript_seq_seq'::regclass);


--
-- Name: orchestrator_workflows seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_workflows_seq_seq'::regclass);


--
-- Name: wrap_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_audit ALTER COLUMN seq SET DEFAULT nextval('public.wrap_audit_seq_seq'::regclass);


--
-- Name: wrap_launches seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_launches ALTER COLUMN seq SET DEFAULT nextval('public.wrap_launches_seq_seq'::regclass);


--
-- Name: wrap_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations ALTER COLUMN id SET DEFAULT nextval('public.wrap_migrations_id_seq'::regclass);


--
-- Name: wrap_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.wrap_migrations_lock_index_seq'::regclass);


--
-- Data for Name: ask_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: ask_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ask_migrations VALUES (1, '001-questions', 1, '2026-11-25 13:03:23.478+00');
INSERT INTO public.ask_migrations VALUES (2, '002-audit', 1, '2026-11-25 13:03:23.49+00');


--
-- Data for Name: ask_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ask_migrations_lock VALUES (1, 0);


--
-- Data for Name: ask_questions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: communicate_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.communicate_audit VALUES (1, 'rooms', 'ca465483-25b5-4c5f-af79-0222e80f2a18', 'participants[tester]', 'tester', '6f2cb1da-9a3f-40ca-9896-a549397edf0a', 'POST /rooms', '2026-11-25T13:03:27.246Z');
INSERT INTO public.communicate_audit VALUES (2, 'rooms', 'ca465483-25b5-4c5f-af79-0222e80f2a18', '', 'tester', '6f2cb1da-9a3f-40ca-9896-a549397edf0a', 'POST /rooms', '2026-11-25T13:03:27.248Z');
INSERT INTO public.communicate_audit VALUES (3, 'messages', 'ae536f05-79de-4612-ad34-33f91137879c', '', 'tester', '9b60e351-5338-4fdc-a99b-39f54cfcc963', 'POST /rooms/{id}/messages', '2026-11-25T13:03:27.277Z');


--
-- Data for Name: communicate_leftovers; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: communicate_locks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: communicate_messages; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.communicate_messages VALUES (1, 'ae536f05-79de-4612-ad34-33f91137879c', 'ca465483-25b5-4c5f-af79-0222e80f2a18', 1, 'tester', 'tester', 'human', 'a message in a room', '{}', NULL, 'sent', '2026-11-25T13:03:27.276Z', 0);


--
-- Data for Name: communicate_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.communicate_migrations VALUES (1, '001-rooms', 1, '2026-11-25 13:03:23.123+00');
INSERT INTO public.communicate_migrations VALUES (2, '002-messages', 1, '2026-11-25 13:03:23.133+00');
INSERT INTO public.communicate_migrations VALUES (3, '003-audit', 1, '2026-11-25 13:03:23.137+00');


--
-- Data for Name: communicate_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.communicate_migrations_lock VALUES (1, 0);


--
-- Data for Name: communicate_participants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.communicate_participants VALUES (1, '4b8deae4-f896-42e5-9093-660e86b92e91', 'ca465483-25b5-4c5f-af79-0222e80f2a18', 'tester', 'human', 'tester', 'admin', '2026-11-25T13:03:27.245Z');


--
-- Data for Name: communicate_rooms; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.communicate_rooms VALUES (1, 'ca465483-25b5-4c5f-af79-0222e80f2a18', 'team', NULL, NULL, 'group', 'tester', '2026-11-25T13:03:27.242Z', '2026-11-25T13:03:27.242Z', 0, 1, 0);


--
-- Data for Name: controller_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_audit VALUES (1, 'operation', 'controller.revertDrift agents/reader', '', 'tester', 'a3b8e384-1711-4e52-ace8-ad95518f7fc2', 'POST /drift/{kind}/{name}/revert', '2026-11-25T13:03:26.067Z');


--
-- Data for Name: controller_cursors; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_cursors VALUES ('policies', 2);
INSERT INTO public.controller_cursors VALUES ('workflows', 7);
INSERT INTO public.controller_cursors VALUES ('agents', 18);
INSERT INTO public.controller_cursors VALUES ('rooms', 2);


--
-- Data for Name: controller_drift; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_drift VALUES ('c39e61fd-640f-4ee4-a77f-f6db8bbde7e0', 'agents', 'reader', 'tool_policy', '{"mode":"allow_list","tools":["Grep","Read"]}', '{"mode":"deny_all"}', '{"mode":"allow_list","tools":["Grep","Read"]}', 'tester', '65b6e418-4abd-48da-949b-1144e6465809', 'PUT /agents/{id}/policy', '2026-11-25T13:03:25.897Z', '2026-11-25T13:03:25.976Z', 'reverted', '[{"actor":"tester","request_id":"65b6e418-4abd-48da-949b-1144e6465809","endpoint":"PUT /agents/{id}/policy","at":"2026-11-25T13:03:25.890Z"}]', '0a4b74ece1daeb9e9bfa2da7206a0c23', '43900e960368026329e251a0a5041d86');
INSERT INTO public.controller_drift VALUES ('5f576879-e53d-4763-a04e-5bbc03724127', 'agents', 'reader', 'tool_policy', '{"mode":"allow_list","tools":["Grep","Read"]}', '{"mode":"deny_all"}', '{"mode":"allow_list","tools":["Grep","Read"]}', 'tester', 'c72ea815-2385-4d07-b58e-3454d159758f', 'PUT /agents/{id}/policy', '2026-11-25T13:03:26.108Z', '2026-11-25T13:03:26.108Z', NULL, '[{"actor":"tester","request_id":"c72ea815-2385-4d07-b58e-3454d159758f","endpoint":"PUT /agents/{id}/policy","at":"2026-11-25T13:03:26.090Z"}]', '0a4b74ece1daeb9e9bfa2da7206a0c23', '43900e960368026329e251a0a5041d86');


--
-- Data for Name: controller_intents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: controller_inventory; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_inventory VALUES ('policies', 'readers', 'default', 'policies/readers.yml', 1, 1, 'readers', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"readers","mode":"allow_list","tools":["Grep","Read"],"description":null}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('policies', 'ask-first', 'default', 'policies/ask-first.yml', 1, 1, 'ask-first', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"ask-first","mode":"require_approval","tools":[],"description":null}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'writer', 'default', 'agents/writer.yml', 1, 1, '74fc3459-43eb-468b-870c-dd8f5f2e268b', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:73arBwgmfG3HzztWJr1/MLaMhP5ABumpCt7sqckXsMoYtK5chriN6qI="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'by-hand', 'default', 'workflows/by-hand.yml', 1, 1, '1f94dbc0-adfd-4efe-ab73-ba6dbb347533', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/writer"]', '{"name":"by-hand","agent":"writer","trigger":{"type":"manual"},"prompt_template":"Do {{title}}\n","poll_interval_secs":60,"enabled":true,"on_restart":null,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'builder', 'default', 'agents/builder.yml', 1, 1, '6585a0ee-5637-4eca-aef9-24b3cc5453c7', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/ask-first"]', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'hook', 'default', 'workflows/hook.yml', 1, 1, '7cefcb2c-63e9-4bda-a3eb-ce849f6df12d', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/reader"]', '{"name":"hook","agent":"reader","trigger":{"type":"webhook","secret":{"$sealed":"sealed:v1:XThTL+ak2r3mvQzwKRU0UJSSr74bovgMZ54gxXF6zhsqhwN9OMyP"}},"prompt_template":"Read {{title}}\n","poll_interval_secs":60,"enabled":true,"on_restart":null,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'reader', 'default', 'agents/reader.yml', 1, 1, '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/readers"]', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"on-failure"}', '=desired', '[{"type":"Ready","status":"True","reason":"Healthy","message":"running","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-25T13:03:25.906Z"},{"type":"Drifted","status":"True","reason":"DriftFound","message":"live differs from what was applied; svc drift says where","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-25T13:03:25.906Z"}]', NULL, NULL, NULL, NULL);


--
-- Data for Name: controller_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations VALUES (1, '001-inventory-runs-drift', 1, '2026-11-25 13:03:23.34+00');
INSERT INTO public.controller_migrations VALUES (2, '002-audit', 1, '2026-11-25 13:03:23.349+00');
INSERT INTO public.controller_migrations VALUES (3, '003-page-indexes', 1, '2026-11-25 13:03:23.353+00');
INSERT INTO public.controller_migrations VALUES (4, '004-run-diagnostics', 1, '2026-11-25 13:03:23.355+00');
INSERT INTO public.controller_migrations VALUES (5, '005-intents', 1, '2026-11-25 13:03:23.359+00');
INSERT INTO public.controller_migrations VALUES (6, '006-records', 1, '2026-11-25 13:03:23.364+00');
INSERT INTO public.controller_migrations VALUES (7, '007-owed-and-sent', 1, '2026-11-25 13:03:23.37+00');
INSERT INTO public.controller_migrations VALUES (8, '008-revisions-of-sources', 1, '2026-11-25 13:03:23.371+00');
INSERT INTO public.controller_migrations VALUES (9, '009-holds', 1, '2026-11-25 13:03:23.372+00');
INSERT INTO public.controller_migrations VALUES (10, '010-contests', 1, '2026-11-25 13:03:23.372+00');
INSERT INTO public.controller_migrations VALUES (11, '011-suspended-resources', 1, '2026-11-25 13:03:23.373+00');


--
-- Data for Name: controller_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations_lock VALUES (1, 0);


--
-- Data for Name: controller_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_runs VALUES ('1eaa7e1c-7799-4010-a135-8db91f810fe4', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'controller', '2026-11-25T13:03:23.919Z', '2026-11-25T13:03:25.082Z', '{"create":7,"update":0,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL, '[]', true);
INSERT INTO public.controller_runs VALUES ('0af2e26b-2926-4b7d-a6d4-39571936cf33', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'tester', '2026-11-25T13:03:25.957Z', '2026-11-25T13:03:25.985Z', '{"create":0,"update":1,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL, '[]', true);


--
-- Data for Name: controller_sent; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: controller_sources; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_sources VALUES ('default', '/tmp/svc-stand-BsxZ4W/project/manifests', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', false, '2026-11-25T13:03:26.055Z', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', NULL);


--
-- Data for Name: controller_steps; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_steps VALUES ('1eaa7e1c-7799-4010-a135-8db91f810fe4', 1, 'policies', 'readers', 'create', 'done', 'readers', NULL, '2026-11-25T13:03:23.954Z', '2026-11-25T13:03:24.023Z');
INSERT INTO public.controller_steps VALUES ('1eaa7e1c-7799-4010-a135-8db91f810fe4', 0, 'policies', 'ask-first', 'create', 'done', 'ask-first', NULL, '2026-11-25T13:03:23.953Z', '2026-11-25T13:03:24.033Z');
INSERT INTO public.controller_steps VALUES ('1eaa7e1c-7799-4010-a135-8db91f810fe4', 2, 'agents', 'writer', 'create', 'done', '74fc3459-43eb-468b-870c-dd8f5f2e268b', NULL, '2026-11-25T13:03:23.954Z', '2026-11-25T13:03:24.107Z');
INSERT INTO public.controller_steps VALUES ('1eaa7e1c-7799-4010-a135-8db91f810fe4', 5, 'workflows', 'by-hand', 'create', 'done', '1f94dbc0-adfd-4efe-ab73-ba6dbb347533', NULL, '2026-11-25T13:03:24.110Z', '2026-11-25T13:03:24.214Z');
INSERT INTO public.controller_steps VALUES ('1eaa7e1c-7799-4010-a135-8db91f810fe4', 3, 'agents', 'builder', 'create', 'done', '6585a0ee-5637-4eca-aef9-24b3cc5453c7', NULL, '2026-11-25T13:03:24.110Z', '2026-11-25T13:03:24.545Z');
INSERT INTO public.controller_steps VALUES ('1eaa7e1c-7799-4010-a135-8db91f810fe4', 4, 'agents', 'reader', 'create', 'done', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', NULL, '2026-11-25T13:03:24.110Z', '2026-11-25T13:03:24.684Z');
INSERT INTO public.controller_steps VALUES ('1eaa7e1c-7799-4010-a135-8db91f810fe4', 6, 'workflows', 'hook', 'create', 'done', '7cefcb2c-63e9-4bda-a3eb-ce849f6df12d', NULL, '2026-11-25T13:03:24.750Z', '2026-11-25T13:03:25.045Z');
INSERT INTO public.controller_steps VALUES ('0af2e26b-2926-4b7d-a6d4-39571936cf33', 0, 'agents', 'reader', 'update', 'done', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', NULL, '2026-11-25T13:03:25.960Z', '2026-11-25T13:03:25.969Z');


--
-- Data for Name: docstore_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.docstore_audit VALUES (1, 'operation', 'docstore.createMemory ', '', 'tester', '6187f369-5c8a-4eb1-8c6c-85cbd0407d4f', 'POST /memories', '2026-11-25T13:03:27.198Z');


--
-- Data for Name: docstore_document_words; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_documents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_memories; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.docstore_memories VALUES (1, '417703d0-dde4-449d-bc02-579b0b625a71', 'a memory', '["kept"]', '[]', '[]', 'information', 'tester', 'public', NULL, NULL, '2026-11-25T13:03:27.191Z', '2026-11-25T13:03:27.191Z');


--
-- Data for Name: docstore_memory_tags; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.docstore_memory_tags VALUES ('kept', 1);


--
-- Data for Name: docstore_memory_vectors; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_memory_viewers; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_memory_words; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.docstore_memory_words VALUES (1, '''a'':2 ''kept'':1A ''memory'':3');


--
-- Data for Name: docstore_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.docstore_migrations VALUES (1, '001-documents', 1, '2026-11-25 13:03:23.184+00');
INSERT INTO public.docstore_migrations VALUES (2, '002-document-words', 1, '2026-11-25 13:03:23.192+00');
INSERT INTO public.docstore_migrations VALUES (3, '003-audit', 1, '2026-11-25 13:03:23.197+00');
INSERT INTO public.docstore_migrations VALUES (4, '004-memories', 1, '2026-11-25 13:03:23.218+00');
INSERT INTO public.docstore_migrations VALUES (5, '005-memory-words', 1, '2026-11-25 13:03:23.222+00');
INSERT INTO public.docstore_migrations VALUES (6, '006-memory-vectors', 1, '2026-11-25 13:03:23.227+00');


--
-- Data for Name: docstore_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.docstore_migrations_lock VALUES (1, 0);


--
-- Data for Name: docstore_tags; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: host_leases; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_leases VALUES ('daemon/orchestrator', 'b3f33bbe-8042-4889-a267-919b8921be2c', 1, '2026-11-25 13:03:27.597465+00', '{"place":"c597c9f0-a4d2-4d4a-bda9-5feb04b939d4:65024:2155377","holder":{"pid":20796,"host":"vm","since":"2026-11-25T13:03:22.531Z","version":"0.1.0","data_dir":"/tmp/svc-stand-BsxZ4W/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:22661","communicate":"http://127.0.0.1:22657","docstore":"http://127.0.0.1:22658","index":"http://127.0.0.1:22656","controller":"http://127.0.0.1:22654","notify":"http://127.0.0.1:22660","wrap":"http://127.0.0.1:22662","ask":"http://127.0.0.1:22655","monitor":"http://127.0.0.1:22659"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/communicate', 'b3f33bbe-8042-4889-a267-919b8921be2c', 1, '2026-11-25 13:03:27.597483+00', '{"place":"c597c9f0-a4d2-4d4a-bda9-5feb04b939d4:65024:2155377","holder":{"pid":20796,"host":"vm","since":"2026-11-25T13:03:22.531Z","version":"0.1.0","data_dir":"/tmp/svc-stand-BsxZ4W/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:22661","communicate":"http://127.0.0.1:22657","docstore":"http://127.0.0.1:22658","index":"http://127.0.0.1:22656","controller":"http://127.0.0.1:22654","notify":"http://127.0.0.1:22660","wrap":"http://127.0.0.1:22662","ask":"http://127.0.0.1:22655","monitor":"http://127.0.0.1:22659"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/docstore', 'b3f33bbe-8042-4889-a267-919b8921be2c', 1, '2026-11-25 13:03:27.597486+00', '{"place":"c597c9f0-a4d2-4d4a-bda9-5feb04b939d4:65024:2155377","holder":{"pid":20796,"host":"vm","since":"2026-11-25T13:03:22.531Z","version":"0.1.0","data_dir":"/tmp/svc-stand-BsxZ4W/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:22661","communicate":"http://127.0.0.1:22657","docstore":"http://127.0.0.1:22658","index":"http://127.0.0.1:22656","controller":"http://127.0.0.1:22654","notify":"http://127.0.0.1:22660","wrap":"http://127.0.0.1:22662","ask":"http://127.0.0.1:22655","monitor":"http://127.0.0.1:22659"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/index', 'b3f33bbe-8042-4889-a267-919b8921be2c', 1, '2026-11-25 13:03:27.597488+00', '{"place":"c597c9f0-a4d2-4d4a-bda9-5feb04b939d4:65024:2155377","holder":{"pid":20796,"host":"vm","since":"2026-11-25T13:03:22.531Z","version":"0.1.0","data_dir":"/tmp/svc-stand-BsxZ4W/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:22661","communicate":"http://127.0.0.1:22657","docstore":"http://127.0.0.1:22658","index":"http://127.0.0.1:22656","controller":"http://127.0.0.1:22654","notify":"http://127.0.0.1:22660","wrap":"http://127.0.0.1:22662","ask":"http://127.0.0.1:22655","monitor":"http://127.0.0.1:22659"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/controller', 'b3f33bbe-8042-4889-a267-919b8921be2c', 1, '2026-11-25 13:03:27.597489+00', '{"place":"c597c9f0-a4d2-4d4a-bda9-5feb04b939d4:65024:2155377","holder":{"pid":20796,"host":"vm","since":"2026-11-25T13:03:22.531Z","version":"0.1.0","data_dir":"/tmp/svc-stand-BsxZ4W/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:22661","communicate":"http://127.0.0.1:22657","docstore":"http://127.0.0.1:22658","index":"http://127.0.0.1:22656","controller":"http://127.0.0.1:22654","notify":"http://127.0.0.1:22660","wrap":"http://127.0.0.1:22662","ask":"http://127.0.0.1:22655","monitor":"http://127.0.0.1:22659"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/notify', 'b3f33bbe-8042-4889-a267-919b8921be2c', 1, '2026-11-25 13:03:27.597491+00', '{"place":"c597c9f0-a4d2-4d4a-bda9-5feb04b939d4:65024:2155377","holder":{"pid":20796,"host":"vm","since":"2026-11-25T13:03:22.531Z","version":"0.1.0","data_dir":"/tmp/svc-stand-BsxZ4W/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:22661","communicate":"http://127.0.0.1:22657","docstore":"http://127.0.0.1:22658","index":"http://127.0.0.1:22656","controller":"http://127.0.0.1:22654","notify":"http://127.0.0.1:22660","wrap":"http://127.0.0.1:22662","ask":"http://127.0.0.1:22655","monitor":"http://127.0.0.1:22659"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/wrap', 'b3f33bbe-8042-4889-a267-919b8921be2c', 1, '2026-11-25 13:03:27.597493+00', '{"place":"c597c9f0-a4d2-4d4a-bda9-5feb04b939d4:65024:2155377","holder":{"pid":20796,"host":"vm","since":"2026-11-25T13:03:22.531Z","version":"0.1.0","data_dir":"/tmp/svc-stand-BsxZ4W/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:22661","communicate":"http://127.0.0.1:22657","docstore":"http://127.0.0.1:22658","index":"http://127.0.0.1:22656","controller":"http://127.0.0.1:22654","notify":"http://127.0.0.1:22660","wrap":"http://127.0.0.1:22662","ask":"http://127.0.0.1:22655","monitor":"http://127.0.0.1:22659"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/ask', 'b3f33bbe-8042-4889-a267-919b8921be2c', 1, '2026-11-25 13:03:27.597495+00', '{"place":"c597c9f0-a4d2-4d4a-bda9-5feb04b939d4:65024:2155377","holder":{"pid":20796,"host":"vm","since":"2026-11-25T13:03:22.531Z","version":"0.1.0","data_dir":"/tmp/svc-stand-BsxZ4W/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:22661","communicate":"http://127.0.0.1:22657","docstore":"http://127.0.0.1:22658","index":"http://127.0.0.1:22656","controller":"http://127.0.0.1:22654","notify":"http://127.0.0.1:22660","wrap":"http://127.0.0.1:22662","ask":"http://127.0.0.1:22655","monitor":"http://127.0.0.1:22659"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/monitor', 'b3f33bbe-8042-4889-a267-919b8921be2c', 1, '2026-11-25 13:03:27.597497+00', '{"place":"c597c9f0-a4d2-4d4a-bda9-5feb04b939d4:65024:2155377","holder":{"pid":20796,"host":"vm","since":"2026-11-25T13:03:22.531Z","version":"0.1.0","data_dir":"/tmp/svc-stand-BsxZ4W/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:22661","communicate":"http://127.0.0.1:22657","docstore":"http://127.0.0.1:22658","index":"http://127.0.0.1:22656","controller":"http://127.0.0.1:22654","notify":"http://127.0.0.1:22660","wrap":"http://127.0.0.1:22662","ask":"http://127.0.0.1:22655","monitor":"http://127.0.0.1:22659"},"stopping":false}}');


--
-- Data for Name: host_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_migrations VALUES (1, '001-leases', 1, '2026-11-25 13:03:22.822+00');
INSERT INTO public.host_migrations VALUES (2, '002-lease-holders', 1, '2026-11-25 13:03:22.825+00');


--
-- Data for Name: host_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_migrations_lock VALUES (1, 0);


--
-- Data for Name: index_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: index_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.index_migrations VALUES (1, '001-repositories', 1, '2026-11-25 13:03:23.258+00');
INSERT INTO public.index_migrations VALUES (2, '002-audit', 1, '2026-11-25 13:03:23.267+00');
INSERT INTO public.index_migrations VALUES (3, '003-version', 1, '2026-11-25 13:03:23.268+00');


--
-- Data for Name: index_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.index_migrations_lock VALUES (1, 0);


--
-- Data for Name: index_repositories; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: monitor_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: monitor_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.monitor_migrations VALUES (1, '001-audit', 1, '2026-11-25 13:03:23.516+00');


--
-- Data for Name: monitor_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.monitor_migrations_lock VALUES (1, 0);


--
-- Data for Name: notify_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notify_audit VALUES (1, 'operation', 'notify.createNotification ', '', 'tester', '96b73620-03de-48db-ac6e-e163031f33f6', 'POST /notifications', '2026-11-25T13:03:27.166Z');


--
-- Data for Name: notify_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notify_migrations VALUES (1, '001-notifications', 1, '2026-11-25 13:03:23.4+00');
INSERT INTO public.notify_migrations VALUES (2, '002-audit', 1, '2026-11-25 13:03:23.405+00');
INSERT INTO public.notify_migrations VALUES (3, '003-outbox', 1, '2026-11-25 13:03:23.417+00');


--
-- Data for Name: notify_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notify_migrations_lock VALUES (1, 0);


--
-- Data for Name: notify_notifications; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notify_notifications VALUES (1, '776b19ba-2c17-4f97-b035-851e253d8b95', '"System"', '"Persistent"', 'a title', 'a text', 'Normal', true, 'Pending', NULL, '2026-11-25T13:03:27.159Z', '2026-11-25T13:03:27.159Z', 1, 1, NULL);


--
-- Data for Name: notify_outbox; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_agents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_agents VALUES (2, '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'builder', 'running', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '3b49f39b01720c397dea29fddae7fd3c8d4bd6b5c2eddd5af3502eeef76e6ab6', '/tmp/svc-stand-BsxZ4W/data/launch/6585a0ee-5637-4eca-aef9-24b3cc5453c7.json', NULL, 1, 0, NULL, '[]', false, '14c2cba6-8512-4b88-a5ab-9480c2ed5659', '1.0.0', 1, 0.0008286, 28, '["760e42dc-b5a6-476f-a65f-d42089163527"]', '2026-11-25T13:03:24.201Z', '2026-11-25T13:03:24.499Z', '[]', false, 5, false);
INSERT INTO public.orchestrator_agents VALUES (4, 'b5622f5d-58cd-4862-9286-ce21ef41a46a', 'guest', 'running', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:n5wGRa1ENqwKOiVHEbMEHnai0i13ucgpcrvL6Py1XELzzFBfS3OPqQ=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"never"}', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:D9FHi7jtDSKxG7dS2ErJb7lgbY3/ETOvWEO9Pt+5MOqkwEpvrBCByg=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"never"}', '5f76ad2323e20d3c0b53588f551f26743392fdf2b605946bcf511b2fe27cd59c', '/tmp/svc-stand-BsxZ4W/data/launch/b5622f5d-58cd-4862-9286-ce21ef41a46a.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-25T13:03:25.394Z', '2026-11-25T13:03:25.462Z', '[]', false, 3, false);
INSERT INTO public.orchestrator_agents VALUES (3, '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', 'reader', 'running', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"deny_all"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"on-failure"}', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"on-failure"}', '372fd9da656f49b6f10594ba4f82a55caa148ca810490bc7cd8d325f79958582', '/tmp/svc-stand-BsxZ4W/data/launch/9413d2a5-3a9e-4ff3-92b5-4f766705adf1.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-25T13:03:24.210Z', '2026-11-25T13:03:26.089Z', '[]', false, 6, false);
INSERT INTO public.orchestrator_agents VALUES (1, '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'writer', 'running', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:kDcvkHQxFz4P21nhqDbZ1HuaW2RHEFs4Wmxp1HYNmY1VgL1sNEddfww="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:kGkLniIJ5PWhN90qEWyZQVVeLLcAf14+lmnBaoTWXQw2IkCsjLerBcw="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', 'c0e7260e83cde7e68de8ad5d935a40770a31daaf87dcfb222b637807098e2d9b', '/tmp/svc-stand-BsxZ4W/data/launch/74fc3459-43eb-468b-870c-dd8f5f2e268b.json', NULL, 1, 0, NULL, '[]', false, 'e11a62c7-2779-4cb0-b1ec-7f314d8fa0f8', '1.0.0', 1, 0.00030015, 13, '["d2ba69ca-c58b-42b5-9738-d5748cdcaf0c","4f3eac69-98d0-4644-bd32-01b65aa328bb"]', '2026-11-25T13:03:23.970Z', '2026-11-25T13:03:24.104Z', '[]', false, 6, false);


--
-- Data for Name: orchestrator_approvals; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_approvals VALUES (1, 'edcc8de5-af97-4b3e-8ce3-4ecc7db10236', '6585a0ee-5637-4eca-aef9-24b3cc5453c7', '7b2091ff-7ac9-43d3-a516-5bf1aa517f06', 'Bash', '{"command":"echo decided","description":"Run a command"}', 'b6b8c85e66e91e5e66c1557f488ae5b393761b484a83ba6cb6e8605ac58bf275', 1, 1, 'approved', 'once', NULL, 'tester', NULL, '2026-11-25T13:03:26.639Z', '2126-11-01T13:03:26.639Z', '2026-11-25T13:03:26.709Z', '2026-11-25T13:03:26.729Z', NULL, '14c2cba6-8512-4b88-a5ab-9480c2ed5659');
INSERT INTO public.orchestrator_approvals VALUES (2, '80e5bd0f-15f3-46a7-8ddf-27de0d2fbdb8', '6585a0ee-5637-4eca-aef9-24b3cc5453c7', '41361cfb-5bc5-4d1e-8547-7d1a148e9ec5', 'Bash', '{"command":"echo pending","description":"Run a command"}', 'ce43324873b0aa3ac7fc5f51cb0a8fa058846e9c55874c880fa296a8b1db9386', 1, 1, 'pending', NULL, NULL, NULL, NULL, '2026-11-25T13:03:26.879Z', '2126-11-01T13:03:26.879Z', NULL, NULL, NULL, '14c2cba6-8512-4b88-a5ab-9480c2ed5659');


--
-- Data for Name: orchestrator_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_audit VALUES (1, 'policies', 'readers', '', 'controller', '1eaa7e1c-7799-4010-a135-8db91f810fe4', 'controller', '2026-11-25T13:03:23.964Z');
INSERT INTO public.orchestrator_audit VALUES (2, 'policies', 'ask-first', '', 'controller', '1eaa7e1c-7799-4010-a135-8db91f810fe4', 'controller', '2026-11-25T13:03:23.970Z');
INSERT INTO public.orchestrator_audit VALUES (3, 'agents', '74fc3459-43eb-468b-870c-dd8f5f2e268b', '', 'controller', '1eaa7e1c-7799-4010-a135-8db91f810fe4', 'controller', '2026-11-25T13:03:24.014Z');
INSERT INTO public.orchestrator_audit VALUES (4, 'workflows', '1f94dbc0-adfd-4efe-ab73-ba6dbb347533', '', 'controller', '1eaa7e1c-7799-4010-a135-8db91f810fe4', 'controller', '2026-11-25T13:03:24.202Z');
INSERT INTO public.orchestrator_audit VALUES (5, 'agents', '6585a0ee-5637-4eca-aef9-24b3cc5453c7', '', 'controller', '1eaa7e1c-7799-4010-a135-8db91f810fe4', 'controller', '2026-11-25T13:03:24.206Z');
INSERT INTO public.orchestrator_audit VALUES (6, 'agents', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', '', 'controller', '1eaa7e1c-7799-4010-a135-8db91f810fe4', 'controller', '2026-11-25T13:03:24.259Z');
INSERT INTO public.orchestrator_audit VALUES (7, 'workflows', '7cefcb2c-63e9-4bda-a3eb-ce849f6df12d', '', 'controller', '1eaa7e1c-7799-4010-a135-8db91f810fe4', 'controller', '2026-11-25T13:03:24.974Z');
INSERT INTO public.orchestrator_audit VALUES (8, 'agents', 'b5622f5d-58cd-4862-9286-ce21ef41a46a', '', 'tester', '6991cb5e-0889-451d-a8cf-79ce69e226c6', 'POST /agents', '2026-11-25T13:03:25.396Z');
INSERT INTO public.orchestrator_audit VALUES (9, 'operation', 'orchestrator.triggerWorkflow 1f94dbc0-adfd-4efe-ab73-ba6dbb347533', '', 'tester', '7afdfe8f-0a07-485a-a6c5-ded95273cde6', 'POST /workflows/{id}/trigger', '2026-11-25T13:03:25.746Z');
INSERT INTO public.orchestrator_audit VALUES (10, 'agents', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', 'tool_policy.mode', 'tester', '65b6e418-4abd-48da-949b-1144e6465809', 'PUT /agents/{id}/policy', '2026-11-25T13:03:25.890Z');
INSERT INTO public.orchestrator_audit VALUES (11, 'agents', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', 'tool_policy.tools[Grep]', 'tester', '65b6e418-4abd-48da-949b-1144e6465809', 'PUT /agents/{id}/policy', '2026-11-25T13:03:25.890Z');
INSERT INTO public.orchestrator_audit VALUES (12, 'agents', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', 'tool_policy.tools[Read]', 'tester', '65b6e418-4abd-48da-949b-1144e6465809', 'PUT /agents/{id}/policy', '2026-11-25T13:03:25.890Z');
INSERT INTO public.orchestrator_audit VALUES (13, 'agents', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', 'tool_policy.mode', 'controller', '0af2e26b-2926-4b7d-a6d4-39571936cf33', 'controller', '2026-11-25T13:03:25.966Z');
INSERT INTO public.orchestrator_audit VALUES (14, 'agents', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', 'tool_policy.tools[Grep]', 'controller', '0af2e26b-2926-4b7d-a6d4-39571936cf33', 'controller', '2026-11-25T13:03:25.966Z');
INSERT INTO public.orchestrator_audit VALUES (15, 'agents', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', 'tool_policy.tools[Read]', 'controller', '0af2e26b-2926-4b7d-a6d4-39571936cf33', 'controller', '2026-11-25T13:03:25.966Z');
INSERT INTO public.orchestrator_audit VALUES (16, 'agents', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', 'tool_policy.mode', 'tester', 'c72ea815-2385-4d07-b58e-3454d159758f', 'PUT /agents/{id}/policy', '2026-11-25T13:03:26.090Z');
INSERT INTO public.orchestrator_audit VALUES (17, 'agents', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', 'tool_policy.tools[Grep]', 'tester', 'c72ea815-2385-4d07-b58e-3454d159758f', 'PUT /agents/{id}/policy', '2026-11-25T13:03:26.090Z');
INSERT INTO public.orchestrator_audit VALUES (18, 'agents', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', 'tool_policy.tools[Read]', 'tester', 'c72ea815-2385-4d07-b58e-3454d159758f', 'PUT /agents/{id}/policy', '2026-11-25T13:03:26.090Z');
INSERT INTO public.orchestrator_audit VALUES (19, 'operation', 'orchestrator.sendMessage 6585a0ee-5637-4eca-aef9-24b3cc5453c7', '', 'tester', '6921e568-4676-4ead-a823-5f6bad675013', 'POST /agents/{id}/message', '2026-11-25T13:03:26.167Z');
INSERT INTO public.orchestrator_audit VALUES (20, 'operation', 'orchestrator.approve edcc8de5-af97-4b3e-8ce3-4ecc7db10236', '', 'tester', 'ae04a5d5-d3d6-427a-a052-596149374c04', 'POST /approvals/{id}/approve', '2026-11-25T13:03:26.718Z');
INSERT INTO public.orchestrator_audit VALUES (21, 'operation', 'orchestrator.sendMessage 6585a0ee-5637-4eca-aef9-24b3cc5453c7', '', 'tester', '0cf1de29-d8d1-471d-9556-bf73a8c04ca6', 'POST /agents/{id}/message', '2026-11-25T13:03:26.833Z');
INSERT INTO public.orchestrator_audit VALUES (22, 'operation', 'orchestrator.sendMessage 74fc3459-43eb-468b-870c-dd8f5f2e268b', '', 'tester', '69edbc36-dfe7-4691-9b4c-dae158b256fc', 'POST /agents/{id}/message', '2026-11-25T13:03:26.919Z');
INSERT INTO public.orchestrator_audit VALUES (23, 'operation', 'orchestrator.sendMessage 74fc3459-43eb-468b-870c-dd8f5f2e268b', '', 'tester', 'ef5fb057-8ce8-42d6-9cf4-eeaca7bb0ea0', 'POST /agents/{id}/message', '2026-11-25T13:03:27.106Z');
INSERT INTO public.orchestrator_audit VALUES (24, 'operation', 'orchestrator.sendMessage 74fc3459-43eb-468b-870c-dd8f5f2e268b', '', 'tester', '92d523fb-aba6-47f8-8902-bd39d959f933', 'POST /agents/{id}/message', '2026-11-25T13:03:27.122Z');


--
-- Data for Name: orchestrator_chain_ends; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_dispatches; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_dispatches VALUES (1, 'a1729e32-7f85-46b2-850a-4f3e8ec7b79c', '1f94dbc0-adfd-4efe-ab73-ba6dbb347533', 'manual:125c0607-3689-4289-81c8-20ca3a9fed59', '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'Do a task
', 'completed', 'manual', 1, NULL, 'ECHO(1): Do a task
', '{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":0,"cache_creation_input_tokens":2,"total_cost_usd":0.0000915,"num_turns":1,"duration_ms":1,"duration_api_ms":5,"result_count":1}', '2026-11-25T13:03:25.734Z', '2026-11-25T13:03:25.753Z', '2026-11-25T13:03:25.801Z', '{"title":"a task","sourceId":"manual:125c0607-3689-4289-81c8-20ca3a9fed59"}', 0);


--
-- Data for Name: orchestrator_firings; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations VALUES (1, '001-core', 1, '2026-11-25 13:03:22.921+00');
INSERT INTO public.orchestrator_migrations VALUES (2, '002-trigger-cursors', 1, '2026-11-25 13:03:22.923+00');
INSERT INTO public.orchestrator_migrations VALUES (3, '003-approval-causes', 1, '2026-11-25 13:03:22.928+00');
INSERT INTO public.orchestrator_migrations VALUES (4, '004-page-indexes', 1, '2026-11-25 13:03:22.931+00');
INSERT INTO public.orchestrator_migrations VALUES (5, '005-bound-decisions', 1, '2026-11-25 13:03:22.932+00');
INSERT INTO public.orchestrator_migrations VALUES (6, '006-restarts', 1, '2026-11-25 13:03:22.962+00');
INSERT INTO public.orchestrator_migrations VALUES (7, '007-version-columns', 1, '2026-11-25 13:03:22.994+00');
INSERT INTO public.orchestrator_migrations VALUES (8, '008-agent-versions', 1, '2026-11-25 13:03:23+00');
INSERT INTO public.orchestrator_migrations VALUES (9, '009-durable-tasks', 1, '2026-11-25 13:03:23.008+00');
INSERT INTO public.orchestrator_migrations VALUES (10, '010-queue-tasks', 1, '2026-11-25 13:03:23.016+00');
INSERT INTO public.orchestrator_migrations VALUES (11, '011-seen-tasks', 1, '2026-11-25 13:03:23.018+00');
INSERT INTO public.orchestrator_migrations VALUES (12, '012-chain-ends', 1, '2026-11-25 13:03:23.02+00');
INSERT INTO public.orchestrator_migrations VALUES (13, '013-finished-workflows', 1, '2026-11-25 13:03:23.024+00');
INSERT INTO public.orchestrator_migrations VALUES (14, '014-trigger-names', 1, '2026-11-25 13:03:23.037+00');
INSERT INTO public.orchestrator_migrations VALUES (15, '015-transcript', 1, '2026-11-25 13:03:23.047+00');
INSERT INTO public.orchestrator_migrations VALUES (16, '016-rooms', 1, '2026-11-25 13:03:23.066+00');


--
-- Data for Name: orchestrator_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations_lock VALUES (1, 0);


--
-- Data for Name: orchestrator_policies; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_policies VALUES ('readers', 'allow_list', '["Grep","Read"]', NULL, 1, '2026-11-25T13:03:23.962Z', '2026-11-25T13:03:23.962Z');
INSERT INTO public.orchestrator_policies VALUES ('ask-first', 'require_approval', '[]', NULL, 1, '2026-11-25T13:03:23.968Z', '2026-11-25T13:03:23.968Z');


--
-- Data for Name: orchestrator_prompts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_prompts VALUES (1, 'bdca663a-d59f-44f4-af25-acb3a0741531', '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'dispatch', 1, 'Do a task
', 'a1729e32-7f85-46b2-850a-4f3e8ec7b79c', NULL, 'done', NULL, '2026-11-25T13:03:25.735Z', '2026-11-25T13:03:25.749Z', '2026-11-25T13:03:25.800Z', 'ECHO(1): Do a task
');
INSERT INTO public.orchestrator_prompts VALUES (2, '3bd260d9-c1ee-4067-b8ff-8fe7150fe8e2', '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'message', 1, 'USE_TOOL Bash echo decided', NULL, NULL, 'done', NULL, '2026-11-25T13:03:26.159Z', '2026-11-25T13:03:26.164Z', '2026-11-25T13:03:26.800Z', 'TOOL_OK: decided');
INSERT INTO public.orchestrator_prompts VALUES (3, '7497a7c8-7525-4c53-9c70-d0969840fe3c', '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'message', 1, 'USE_TOOL Bash echo pending', NULL, NULL, 'sent', NULL, '2026-11-25T13:03:26.822Z', '2026-11-25T13:03:26.830Z', NULL, NULL);
INSERT INTO public.orchestrator_prompts VALUES (4, '848e2cde-73d3-4a12-a8fc-7539b235b046', '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'message', 1, 'a message that is done', NULL, NULL, 'done', NULL, '2026-11-25T13:03:26.908Z', '2026-11-25T13:03:26.917Z', '2026-11-25T13:03:27.068Z', 'ECHO(3): a message that is done');
INSERT INTO public.orchestrator_prompts VALUES (5, '6ed02210-d17f-40b1-8fe4-8c1bd8a22b74', '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'message', 1, 'SLOW 600000 a turn that is cut short', NULL, NULL, 'sent', NULL, '2026-11-25T13:03:27.093Z', '2026-11-25T13:03:27.104Z', NULL, NULL);
INSERT INTO public.orchestrator_prompts VALUES (6, 'f0959094-4666-4aea-be7d-ead34d71decd', '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'message', 1, 'a message that waits', NULL, NULL, 'queued', NULL, '2026-11-25T13:03:27.117Z', NULL, NULL, NULL);


--
-- Data for Name: orchestrator_queue_tasks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_room_cursors; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_room_members; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_room_prompts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_seen_tasks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_sessions VALUES ('9413d2a5-3a9e-4ff3-92b5-4f766705adf1', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-25T13:03:24.213Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('b5622f5d-58cd-4862-9286-ce21ef41a46a', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-25T13:03:25.395Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('6585a0ee-5637-4eca-aef9-24b3cc5453c7', 1, 83, 28, 7, 42, 0.0008286, 2, 235, 28, 1, '2026-11-25T13:03:24.203Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('74fc3459-43eb-468b-870c-dd8f5f2e268b', 1, 21, 13, 3, 11, 0.00030015, 2, 15, 13, 2, '2026-11-25T13:03:24.002Z', NULL);


--
-- Data for Name: orchestrator_transcript; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_transcript VALUES (1, '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'dispatch', 'dispatch a1729e32-7f85-46b2-850a-4f3e8ec7b79c pending', '{"dispatch":{"id":"a1729e32-7f85-46b2-850a-4f3e8ec7b79c","workflow_id":"1f94dbc0-adfd-4efe-ab73-ba6dbb347533","source_id":"manual:125c0607-3689-4289-81c8-20ca3a9fed59","agent_id":"74fc3459-43eb-468b-870c-dd8f5f2e268b","prompt_sent":"Do a task\n","status":"pending","trigger_type":"manual","attempt":1,"error":null,"result":null,"usage":null,"created_at":"2026-11-25T13:03:25.734Z","dispatched_at":null,"completed_at":null}}', '2026-11-25T13:03:25.745Z');
INSERT INTO public.orchestrator_transcript VALUES (2, '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'dispatch', 'dispatch a1729e32-7f85-46b2-850a-4f3e8ec7b79c dispatched', '{"dispatch":{"id":"a1729e32-7f85-46b2-850a-4f3e8ec7b79c","workflow_id":"1f94dbc0-adfd-4efe-ab73-ba6dbb347533","source_id":"manual:125c0607-3689-4289-81c8-20ca3a9fed59","agent_id":"74fc3459-43eb-468b-870c-dd8f5f2e268b","prompt_sent":"Do a task\n","status":"dispatched","trigger_type":"manual","attempt":1,"error":null,"result":null,"usage":null,"created_at":"2026-11-25T13:03:25.734Z","dispatched_at":"2026-11-25T13:03:25.753Z","completed_at":null}}', '2026-11-25T13:03:25.758Z');
INSERT INTO public.orchestrator_transcript VALUES (3, '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'assistant', 'ECHO(1): Do a task
', NULL, '2026-11-25T13:03:25.768Z');
INSERT INTO public.orchestrator_transcript VALUES (4, '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'result', 'ECHO(1): Do a task
', NULL, '2026-11-25T13:03:25.773Z');
INSERT INTO public.orchestrator_transcript VALUES (5, '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'dispatch', 'dispatch a1729e32-7f85-46b2-850a-4f3e8ec7b79c completed', '{"dispatch":{"id":"a1729e32-7f85-46b2-850a-4f3e8ec7b79c","workflow_id":"1f94dbc0-adfd-4efe-ab73-ba6dbb347533","source_id":"manual:125c0607-3689-4289-81c8-20ca3a9fed59","agent_id":"74fc3459-43eb-468b-870c-dd8f5f2e268b","prompt_sent":"Do a task\n","status":"completed","trigger_type":"manual","attempt":1,"error":null,"result":"ECHO(1): Do a task\n","usage":{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":0,"cache_creation_input_tokens":2,"total_cost_usd":0.0000915,"num_turns":1,"duration_ms":1,"duration_api_ms":5,"result_count":1},"created_at":"2026-11-25T13:03:25.734Z","dispatched_at":"2026-11-25T13:03:25.753Z","completed_at":"2026-11-25T13:03:25.801Z"}}', '2026-11-25T13:03:25.803Z');
INSERT INTO public.orchestrator_transcript VALUES (6, '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'assistant', 'Calling a tool.', NULL, '2026-11-25T13:03:26.539Z');
INSERT INTO public.orchestrator_transcript VALUES (7, '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'assistant', 'Bash(echo decided)', NULL, '2026-11-25T13:03:26.570Z');
INSERT INTO public.orchestrator_transcript VALUES (8, '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'pending_approval', 'Bash(echo decided)', '{"approval":{"id":"edcc8de5-af97-4b3e-8ce3-4ecc7db10236","agent_id":"6585a0ee-5637-4eca-aef9-24b3cc5453c7","request_id":"7b2091ff-7ac9-43d3-a516-5bf1aa517f06","tool_name":"Bash","tool_input":{"command":"echo decided","description":"Run a command"},"status":"pending","created_at":"2026-11-25T13:03:26.639Z","expires_at":"2126-11-01T13:03:26.639Z","decided_at":null,"decided_by":null,"reason":null}}', '2026-11-25T13:03:26.642Z');
INSERT INTO public.orchestrator_transcript VALUES (9, '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'approval_decided', 'Bash(echo decided): approved', '{"approval":{"id":"edcc8de5-af97-4b3e-8ce3-4ecc7db10236","agent_id":"6585a0ee-5637-4eca-aef9-24b3cc5453c7","request_id":"7b2091ff-7ac9-43d3-a516-5bf1aa517f06","tool_name":"Bash","tool_input":{"command":"echo decided","description":"Run a command"},"status":"approved","created_at":"2026-11-25T13:03:26.639Z","expires_at":"2126-11-01T13:03:26.639Z","decided_at":"2026-11-25T13:03:26.709Z","decided_by":"tester","reason":null}}', '2026-11-25T13:03:26.713Z');
INSERT INTO public.orchestrator_transcript VALUES (10, '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'assistant', 'TOOL_OK: decided', NULL, '2026-11-25T13:03:26.771Z');
INSERT INTO public.orchestrator_transcript VALUES (11, '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'result', 'TOOL_OK: decided', NULL, '2026-11-25T13:03:26.771Z');
INSERT INTO public.orchestrator_transcript VALUES (12, '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'assistant', 'Calling a tool.', NULL, '2026-11-25T13:03:26.835Z');
INSERT INTO public.orchestrator_transcript VALUES (13, '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'assistant', 'Bash(echo pending)', NULL, '2026-11-25T13:03:26.835Z');
INSERT INTO public.orchestrator_transcript VALUES (14, '6585a0ee-5637-4eca-aef9-24b3cc5453c7', 'pending_approval', 'Bash(echo pending)', '{"approval":{"id":"80e5bd0f-15f3-46a7-8ddf-27de0d2fbdb8","agent_id":"6585a0ee-5637-4eca-aef9-24b3cc5453c7","request_id":"41361cfb-5bc5-4d1e-8547-7d1a148e9ec5","tool_name":"Bash","tool_input":{"command":"echo pending","description":"Run a command"},"status":"pending","created_at":"2026-11-25T13:03:26.879Z","expires_at":"2126-11-01T13:03:26.879Z","decided_at":null,"decided_by":null,"reason":null}}', '2026-11-25T13:03:26.897Z');
INSERT INTO public.orchestrator_transcript VALUES (15, '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'assistant', 'ECHO(3): a message that is done', NULL, '2026-11-25T13:03:26.943Z');
INSERT INTO public.orchestrator_transcript VALUES (16, '74fc3459-43eb-468b-870c-dd8f5f2e268b', 'result', 'ECHO(3): a message that is done', NULL, '2026-11-25T13:03:26.943Z');


--
-- Data for Name: orchestrator_trigger_cursors; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_workflows; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_workflows VALUES (1, '1f94dbc0-adfd-4efe-ab73-ba6dbb347533', 'by-hand', '74fc3459-43eb-468b-870c-dd8f5f2e268b', '{"type":"manual"}', 'Do {{title}}
', 60, true, '{"mode":"auto"}', 1, '2026-11-25T13:03:24.200Z', '2026-11-25T13:03:24.200Z', NULL, false);
INSERT INTO public.orchestrator_workflows VALUES (2, '7cefcb2c-63e9-4bda-a3eb-ce849f6df12d', 'hook', '9413d2a5-3a9e-4ff3-92b5-4f766705adf1', '{"type":"webhook","secret":{"$sealed":"sealed:v1:NGoo0E2PDlGnbOUl0bsuzgmG2YS05VsALruZ6Rw4Eny2hnHIJdfC"}}', 'Read {{title}}
', 60, true, '{"mode":"auto"}', 1, '2026-11-25T13:03:24.972Z', '2026-11-25T13:03:24.972Z', NULL, false);


--
-- Data for Name: wrap_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: wrap_launches; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: wrap_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.wrap_migrations VALUES (1, '001-launches', 1, '2026-11-25 13:03:23.445+00');
INSERT INTO public.wrap_migrations VALUES (2, '002-audit', 1, '2026-11-25 13:03:23.451+00');


--
-- Data for Name: wrap_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.wrap_migrations_lock VALUES (1, 0);


--
-- Name: ask_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_audit_seq_seq', 1, false);


--
-- Name: ask_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_migrations_id_seq', 2, true);


--
-- Name: ask_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_migrations_lock_index_seq', 1, true);


--
-- Name: ask_questions_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_questions_seq_seq', 1, false);


--
-- Name: communicate_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_audit_seq_seq', 3, true);


--
-- Name: communicate_leftovers_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_leftovers_seq_seq', 1, false);


--
-- Name: communicate_locks_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_locks_seq_seq', 1, false);


--
-- Name: communicate_messages_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_messages_seq_seq', 1, true);


--
-- Name: communicate_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_migrations_id_seq', 3, true);


--
-- Name: communicate_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_migrations_lock_index_seq', 1, true);


--
-- Name: communicate_participants_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_participants_seq_seq', 1, true);


--
-- Name: communicate_rooms_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_rooms_seq_seq', 1, true);


--
-- Name: controller_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_audit_seq_seq', 1, true);


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_id_seq', 11, true);


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_lock_index_seq', 1, true);


--
-- Name: controller_sent_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_sent_seq_seq', 1, false);


--
-- Name: docstore_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.docstore_audit_seq_seq', 1, true);


--
-- Name: docstore_documents_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.docstore_documents_seq_seq', 1, false);


--
-- Name: docstore_memories_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.docstore_memories_seq_seq', 1, true);


--
-- Name: docstore_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.docstore_migrations_id_seq', 6, true);


--
-- Name: docstore_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.docstore_migrations_lock_index_seq', 1, true);


--
-- Name: host_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.host_migrations_id_seq', 2, true);


--
-- Name: host_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.host_migrations_lock_index_seq', 1, true);


--
-- Name: index_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.index_audit_seq_seq', 1, false);


--
-- Name: index_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.index_migrations_id_seq', 3, true);


--
-- Name: index_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.index_migrations_lock_index_seq', 1, true);


--
-- Name: index_repositories_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.index_repositories_seq_seq', 1, false);


--
-- Name: monitor_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.monitor_audit_seq_seq', 1, false);


--
-- Name: monitor_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.monitor_migrations_id_seq', 1, true);


--
-- Name: monitor_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.monitor_migrations_lock_index_seq', 1, true);


--
-- Name: notify_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_audit_seq_seq', 1, true);


--
-- Name: notify_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_migrations_id_seq', 3, true);


--
-- Name: notify_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_migrations_lock_index_seq', 1, true);


--
-- Name: notify_notifications_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_notifications_seq_seq', 1, true);


--
-- Name: notify_outbox_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_outbox_seq_seq', 1, false);


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_agents_seq_seq', 4, true);


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_approvals_seq_seq', 2, true);


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_audit_seq_seq', 24, true);


--
-- Name: orchestrator_chain_ends_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_chain_ends_seq_seq', 1, false);


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_dispatches_seq_seq', 1, true);


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_migrations_id_seq', 16, true);


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_migrations_lock_index_seq', 1, true);


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_prompts_seq_seq', 6, true);


--
-- Name: orchestrator_queue_tasks_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_queue_tasks_seq_seq', 1, false);


--
-- Name: orchestrator_room_prompts_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_room_prompts_seq_seq', 1, false);


--
-- Name: orchestrator_transcript_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_transcript_seq_seq', 16, true);


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_workflows_seq_seq', 2, true);


--
-- Name: wrap_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_audit_seq_seq', 1, false);


--
-- Name: wrap_launches_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_launches_seq_seq', 1, false);


--
-- Name: wrap_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_migrations_id_seq', 2, true);


--
-- Name: wrap_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_migrations_lock_index_seq', 1, true);


--
-- Name: ask_audit ask_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_audit
    ADD CONSTRAINT ask_audit_pkey PRIMARY KEY (seq);


--
-- Name: ask_migrations_lock ask_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations_lock
    ADD CONSTRAINT ask_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: ask_migrations ask_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations
    ADD CONSTRAINT ask_migrations_pkey PRIMARY KEY (id);


--
-- Name: ask_questions ask_questions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_questions
    ADD CONSTRAINT ask_questions_pkey PRIMARY KEY (seq);


--
-- Name: ask_questions ask_questions_question_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_questions
    ADD CONSTRAINT ask_questions_question_id_unique UNIQUE (question_id);


--
-- Name: communicate_audit communicate_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_audit
    ADD CONSTRAINT communicate_audit_pkey PRIMARY KEY (seq);


--
-- Name: communicate_leftovers communicate_leftovers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_leftovers
    ADD CONSTRAINT communicate_leftovers_pkey PRIMARY KEY (seq);


--
-- Name: communicate_leftovers communicate_leftovers_room_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_leftovers
    ADD CONSTRAINT communicate_leftovers_room_id_unique UNIQUE (room_id);


--
-- Name: communicate_locks communicate_locks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_locks
    ADD CONSTRAINT communicate_locks_pkey PRIMARY KEY (seq);


--
-- Name: communicate_locks communicate_locks_room_id_holder_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_locks
    ADD CONSTRAINT communicate_locks_room_id_holder_unique UNIQUE (room_id, holder);


--
-- Name: communicate_messages communicate_messages_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_messages
    ADD CONSTRAINT communicate_messages_id_unique UNIQUE (id);


--
-- Name: communicate_messages communicate_messages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_messages
    ADD CONSTRAINT communicate_messages_pkey PRIMARY KEY (seq);


--
-- Name: communicate_messages communicate_messages_room_id_number_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_messages
    ADD CONSTRAINT communicate_messages_room_id_number_unique UNIQUE (room_id, number);


--
-- Name: communicate_migrations_lock communicate_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_migrations_lock
    ADD CONSTRAINT communicate_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: communicate_migrations communicate_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_migrations
    ADD CONSTRAINT communicate_migrations_pkey PRIMARY KEY (id);


--
-- Name: communicate_participants communicate_participants_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_participants
    ADD CONSTRAINT communicate_participants_id_unique UNIQUE (id);


--
-- Name: communicate_participants communicate_participants_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_participants
    ADD CONSTRAINT communicate_participants_pkey PRIMARY KEY (seq);


--
-- Name: communicate_participants communicate_participants_room_id_identifier_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_participants
    ADD CONSTRAINT communicate_participants_room_id_identifier_unique UNIQUE (room_id, identifier);


--
-- Name: communicate_rooms communicate_rooms_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_rooms
    ADD CONSTRAINT communicate_rooms_id_unique UNIQUE (id);


--
-- Name: communicate_rooms communicate_rooms_name_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_rooms
    ADD CONSTRAINT communicate_rooms_name_unique UNIQUE (name);


--
-- Name: communicate_rooms communicate_rooms_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_rooms
    ADD CONSTRAINT communicate_rooms_pkey PRIMARY KEY (seq);


--
-- Name: controller_audit controller_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_audit
    ADD CONSTRAINT controller_audit_pkey PRIMARY KEY (seq);


--
-- Name: controller_cursors controller_cursors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_cursors
    ADD CONSTRAINT controller_cursors_pkey PRIMARY KEY (kind);


--
-- Name: controller_drift controller_drift_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_drift
    ADD CONSTRAINT controller_drift_pkey PRIMARY KEY (id);


--
-- Name: controller_intents controller_intents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_intents
    ADD CONSTRAINT controller_intents_pkey PRIMARY KEY (kind, name);


--
-- Name: controller_inventory controller_inventory_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_inventory
    ADD CONSTRAINT controller_inventory_pkey PRIMARY KEY (kind, name);


--
-- Name: controller_migrations_lock controller_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations_lock
    ADD CONSTRAINT controller_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: controller_migrations controller_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations
    ADD CONSTRAINT controller_migrations_pkey PRIMARY KEY (id);


--
-- Name: controller_runs controller_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_runs
    ADD CONSTRAINT controller_runs_pkey PRIMARY KEY (id);


--
-- Name: controller_sent controller_sent_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_sent
    ADD CONSTRAINT controller_sent_pkey PRIMARY KEY (seq);


--
-- Name: controller_sources controller_sources_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_sources
    ADD CONSTRAINT controller_sources_pkey PRIMARY KEY (name);


--
-- Name: controller_steps controller_steps_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_steps
    ADD CONSTRAINT controller_steps_pkey PRIMARY KEY (run_id, seq);


--
-- Name: docstore_audit docstore_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_audit
    ADD CONSTRAINT docstore_audit_pkey PRIMARY KEY (seq);


--
-- Name: docstore_document_words docstore_document_words_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_document_words
    ADD CONSTRAINT docstore_document_words_pkey PRIMARY KEY (rowid);


--
-- Name: docstore_documents docstore_documents_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_documents
    ADD CONSTRAINT docstore_documents_id_unique UNIQUE (id);


--
-- Name: docstore_documents docstore_documents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_documents
    ADD CONSTRAINT docstore_documents_pkey PRIMARY KEY (seq);


--
-- Name: docstore_memories docstore_memories_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memories
    ADD CONSTRAINT docstore_memories_id_unique UNIQUE (id);


--
-- Name: docstore_memories docstore_memories_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memories
    ADD CONSTRAINT docstore_memories_pkey PRIMARY KEY (seq);


--
-- Name: docstore_memory_tags docstore_memory_tags_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memory_tags
    ADD CONSTRAINT docstore_memory_tags_pkey PRIMARY KEY (tag, memory);


--
-- Name: docstore_memory_vectors docstore_memory_vectors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memory_vectors
    ADD CONSTRAINT docstore_memory_vectors_pkey PRIMARY KEY (memory);


--
-- Name: docstore_memory_viewers docstore_memory_viewers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memory_viewers
    ADD CONSTRAINT docstore_memory_viewers_pkey PRIMARY KEY (viewer, memory);


--
-- Name: docstore_memory_words docstore_memory_words_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memory_words
    ADD CONSTRAINT docstore_memory_words_pkey PRIMARY KEY (rowid);


--
-- Name: docstore_migrations_lock docstore_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_migrations_lock
    ADD CONSTRAINT docstore_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: docstore_migrations docstore_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_migrations
    ADD CONSTRAINT docstore_migrations_pkey PRIMARY KEY (id);


--
-- Name: docstore_tags docstore_tags_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_tags
    ADD CONSTRAINT docstore_tags_pkey PRIMARY KEY (tag, document);


--
-- Name: host_leases host_leases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_leases
    ADD CONSTRAINT host_leases_pkey PRIMARY KEY (name);


--
-- Name: host_migrations_lock host_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations_lock
    ADD CONSTRAINT host_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: host_migrations host_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations
    ADD CONSTRAINT host_migrations_pkey PRIMARY KEY (id);


--
-- Name: index_audit index_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_audit
    ADD CONSTRAINT index_audit_pkey PRIMARY KEY (seq);


--
-- Name: index_migrations_lock index_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_migrations_lock
    ADD CONSTRAINT index_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: index_migrations index_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_migrations
    ADD CONSTRAINT index_migrations_pkey PRIMARY KEY (id);


--
-- Name: index_repositories index_repositories_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_repositories
    ADD CONSTRAINT index_repositories_id_unique UNIQUE (id);


--
-- Name: index_repositories index_repositories_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_repositories
    ADD CONSTRAINT index_repositories_pkey PRIMARY KEY (seq);


--
-- Name: index_repositories index_repositories_root_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_repositories
    ADD CONSTRAINT index_repositories_root_unique UNIQUE (root);


--
-- Name: monitor_audit monitor_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_audit
    ADD CONSTRAINT monitor_audit_pkey PRIMARY KEY (seq);


--
-- Name: monitor_migrations_lock monitor_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations_lock
    ADD CONSTRAINT monitor_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: monitor_migrations monitor_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations
    ADD CONSTRAINT monitor_migrations_pkey PRIMARY KEY (id);


--
-- Name: notify_audit notify_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_audit
    ADD CONSTRAINT notify_audit_pkey PRIMARY KEY (seq);


--
-- Name: notify_migrations_lock notify_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations_lock
    ADD CONSTRAINT notify_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: notify_migrations notify_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations
    ADD CONSTRAINT notify_migrations_pkey PRIMARY KEY (id);


--
-- Name: notify_notifications notify_notifications_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_notifications
    ADD CONSTRAINT notify_notifications_id_unique UNIQUE (id);


--
-- Name: notify_notifications notify_notifications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_notifications
    ADD CONSTRAINT notify_notifications_pkey PRIMARY KEY (seq);


--
-- Name: notify_outbox notify_outbox_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_outbox
    ADD CONSTRAINT notify_outbox_id_unique UNIQUE (id);


--
-- Name: notify_outbox notify_outbox_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_outbox
    ADD CONSTRAINT notify_outbox_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_agents orchestrator_agents_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents
    ADD CONSTRAINT orchestrator_agents_id_unique UNIQUE (id);


--
-- Name: orchestrator_agents orchestrator_agents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents
    ADD CONSTRAINT orchestrator_agents_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_approvals orchestrator_approvals_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals
    ADD CONSTRAINT orchestrator_approvals_id_unique UNIQUE (id);


--
-- Name: orchestrator_approvals orchestrator_approvals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals
    ADD CONSTRAINT orchestrator_approvals_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_audit orchestrator_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_audit
    ADD CONSTRAINT orchestrator_audit_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_chain_ends orchestrator_chain_ends_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_chain_ends
    ADD CONSTRAINT orchestrator_chain_ends_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_chain_ends orchestrator_chain_ends_workflow_id_dispatch_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_chain_ends
    ADD CONSTRAINT orchestrator_chain_ends_workflow_id_dispatch_id_unique UNIQUE (workflow_id, dispatch_id);


--
-- Name: orchestrator_dispatches orchestrator_dispatches_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches
    ADD CONSTRAINT orchestrator_dispatches_id_unique UNIQUE (id);


--
-- Name: orchestrator_dispatches orchestrator_dispatches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches
    ADD CONSTRAINT orchestrator_dispatches_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_firings orchestrator_firings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_firings
    ADD CONSTRAINT orchestrator_firings_pkey PRIMARY KEY (workflow_id);


--
-- Name: orchestrator_migrations_lock orchestrator_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations_lock
    ADD CONSTRAINT orchestrator_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: orchestrator_migrations orchestrator_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations
    ADD CONSTRAINT orchestrator_migrations_pkey PRIMARY KEY (id);


--
-- Name: orchestrator_policies orchestrator_policies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_policies
    ADD CONSTRAINT orchestrator_policies_pkey PRIMARY KEY (name);


--
-- Name: orchestrator_prompts orchestrator_prompts_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts
    ADD CONSTRAINT orchestrator_prompts_id_unique UNIQUE (id);


--
-- Name: orchestrator_prompts orchestrator_prompts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts
    ADD CONSTRAINT orchestrator_prompts_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_queue_tasks orchestrator_queue_tasks_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_queue_tasks
    ADD CONSTRAINT orchestrator_queue_tasks_id_unique UNIQUE (id);


--
-- Name: orchestrator_queue_tasks orchestrator_queue_tasks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_queue_tasks
    ADD CONSTRAINT orchestrator_queue_tasks_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_room_cursors orchestrator_room_cursors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_cursors
    ADD CONSTRAINT orchestrator_room_cursors_pkey PRIMARY KEY (room_id);


--
-- Name: orchestrator_room_members orchestrator_room_members_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_members
    ADD CONSTRAINT orchestrator_room_members_pkey PRIMARY KEY (agent_id, room);


--
-- Name: orchestrator_room_prompts orchestrator_room_prompts_agent_id_message_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_prompts
    ADD CONSTRAINT orchestrator_room_prompts_agent_id_message_id_unique UNIQUE (agent_id, message_id);


--
-- Name: orchestrator_room_prompts orchestrator_room_prompts_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_prompts
    ADD CONSTRAINT orchestrator_room_prompts_id_unique UNIQUE (id);


--
-- Name: orchestrator_room_prompts orchestrator_room_prompts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_prompts
    ADD CONSTRAINT orchestrator_room_prompts_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_room_prompts orchestrator_room_prompts_prompt_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_prompts
    ADD CONSTRAINT orchestrator_room_prompts_prompt_id_unique UNIQUE (prompt_id);


--
-- Name: orchestrator_seen_tasks orchestrator_seen_tasks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_seen_tasks
    ADD CONSTRAINT orchestrator_seen_tasks_pkey PRIMARY KEY (workflow_id, name);


--
-- Name: orchestrator_sessions orchestrator_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_sessions
    ADD CONSTRAINT orchestrator_sessions_pkey PRIMARY KEY (agent_id, number);


--
-- Name: orchestrator_transcript orchestrator_transcript_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_transcript
    ADD CONSTRAINT orchestrator_transcript_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_trigger_cursors orchestrator_trigger_cursors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_trigger_cursors
    ADD CONSTRAINT orchestrator_trigger_cursors_pkey PRIMARY KEY (workflow_id);


--
-- Name: orchestrator_workflows orchestrator_workflows_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_id_unique UNIQUE (id);


--
-- Name: orchestrator_workflows orchestrator_workflows_name_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_name_unique UNIQUE (name);


--
-- Name: orchestrator_workflows orchestrator_workflows_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_pkey PRIMARY KEY (seq);


--
-- Name: wrap_audit wrap_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_audit
    ADD CONSTRAINT wrap_audit_pkey PRIMARY KEY (seq);


--
-- Name: wrap_launches wrap_launches_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_launches
    ADD CONSTRAINT wrap_launches_id_unique UNIQUE (id);


--
-- Name: wrap_launches wrap_launches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_launches
    ADD CONSTRAINT wrap_launches_pkey PRIMARY KEY (seq);


--
-- Name: wrap_migrations_lock wrap_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations_lock
    ADD CONSTRAINT wrap_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: wrap_migrations wrap_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations
    ADD CONSTRAINT wrap_migrations_pkey PRIMARY KEY (id);


--
-- Name: ask_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ask_audit_kind_resource_id_index ON public.ask_audit USING btree (kind, resource_id);


--
-- Name: ask_questions_status_expires_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ask_questions_status_expires_at_index ON public.ask_questions USING btree (status, expires_at);


--
-- Name: ask_questions_status_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ask_questions_status_seq_index ON public.ask_questions USING btree (status, seq);


--
-- Name: communicate_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX communicate_audit_kind_resource_id_index ON public.communicate_audit USING btree (kind, resource_id);


--
-- Name: communicate_locks_expires_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX communicate_locks_expires_at_index ON public.communicate_locks USING btree (expires_at);


--
-- Name: communicate_participants_identifier_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX communicate_participants_identifier_seq_index ON public.communicate_participants USING btree (identifier, seq);


--
-- Name: communicate_rooms_room_type_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX communicate_rooms_room_type_seq_index ON public.communicate_rooms USING btree (room_type, seq);


--
-- Name: controller_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_audit_kind_resource_id_index ON public.controller_audit USING btree (kind, resource_id);


--
-- Name: controller_drift_kind_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_kind_name_index ON public.controller_drift USING btree (kind, name);


--
-- Name: controller_drift_kind_name_last_seen_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_kind_name_last_seen_id_page ON public.controller_drift USING btree (kind, name, last_seen, id);


--
-- Name: controller_drift_last_seen_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_last_seen_id_page ON public.controller_drift USING btree (last_seen, id);


--
-- Name: controller_drift_last_seen_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_last_seen_index ON public.controller_drift USING btree (last_seen);


--
-- Name: controller_drift_resolution_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_resolution_index ON public.controller_drift USING btree (resolution);


--
-- Name: controller_drift_resolution_last_seen_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_resolution_last_seen_id_page ON public.controller_drift USING btree (resolution, last_seen, id);


--
-- Name: controller_inventory_source_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_inventory_source_index ON public.controller_inventory USING btree (source);


--
-- Name: controller_runs_has_steps_started_at_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_has_steps_started_at_id_page ON public.controller_runs USING btree (has_steps, started_at, id);


--
-- Name: controller_runs_started_at_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_started_at_id_page ON public.controller_runs USING btree (started_at, id);


--
-- Name: controller_runs_started_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_started_at_index ON public.controller_runs USING btree (started_at);


--
-- Name: controller_runs_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_status_index ON public.controller_runs USING btree (status);


--
-- Name: controller_sent_source_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_sent_source_index ON public.controller_sent USING btree (source);


--
-- Name: controller_steps_kind_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_steps_kind_name_index ON public.controller_steps USING btree (kind, name);


--
-- Name: docstore_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_audit_kind_resource_id_index ON public.docstore_audit USING btree (kind, resource_id);


--
-- Name: docstore_document_words_words; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_document_words_words ON public.docstore_document_words USING gin (words);


--
-- Name: docstore_documents_created_at_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_documents_created_at_id_index ON public.docstore_documents USING btree (created_at, id);


--
-- Name: docstore_documents_created_by_created_at_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_documents_created_by_created_at_id_index ON public.docstore_documents USING btree (created_by, created_at, id);


--
-- Name: docstore_memories_created_by_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memories_created_by_seq_index ON public.docstore_memories USING btree (created_by, seq);


--
-- Name: docstore_memories_visibility_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memories_visibility_seq_index ON public.docstore_memories USING btree (visibility, seq);


--
-- Name: docstore_memory_tags_memory_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memory_tags_memory_index ON public.docstore_memory_tags USING btree (memory);


--
-- Name: docstore_memory_vectors_model_memory_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memory_vectors_model_memory_index ON public.docstore_memory_vectors USING btree (model, memory);


--
-- Name: docstore_memory_viewers_memory_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memory_viewers_memory_index ON public.docstore_memory_viewers USING btree (memory);


--
-- Name: docstore_memory_words_words; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memory_words_words ON public.docstore_memory_words USING gin (words);


--
-- Name: docstore_tags_document_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_tags_document_index ON public.docstore_tags USING btree (document);


--
-- Name: index_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX index_audit_kind_resource_id_index ON public.index_audit USING btree (kind, resource_id);


--
-- Name: index_repositories_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX index_repositories_name_index ON public.index_repositories USING btree (name);


--
-- Name: monitor_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX monitor_audit_kind_resource_id_index ON public.monitor_audit USING btree (kind, resource_id);


--
-- Name: notify_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_audit_kind_resource_id_index ON public.notify_audit USING btree (kind, resource_id);


--
-- Name: notify_notifications_due_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_due_at_index ON public.notify_notifications USING btree (due_at);


--
-- Name: notify_notifications_open_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_open_seq_index ON public.notify_notifications USING btree (open, seq);


--
-- Name: notify_notifications_open_urgency_seq_due_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_open_urgency_seq_due_at_index ON public.notify_notifications USING btree (open, urgency, seq, due_at);


--
-- Name: notify_notifications_status_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_status_seq_index ON public.notify_notifications USING btree (status, seq);


--
-- Name: notify_outbox_channel_digest_created_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_channel_digest_created_at_index ON public.notify_outbox USING btree (channel, digest, created_at);


--
-- Name: notify_outbox_channel_status_due_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_channel_status_due_at_index ON public.notify_outbox USING btree (channel, status, due_at);


--
-- Name: notify_outbox_ended_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_ended_at_index ON public.notify_outbox USING btree (ended_at);


--
-- Name: notify_outbox_status_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_status_seq_index ON public.notify_outbox USING btree (status, seq);


--
-- Name: orchestrator_agents_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_agents_status_index ON public.orchestrator_agents USING btree (status);


--
-- Name: orchestrator_approvals_agent_id_request_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_agent_id_request_id_index ON public.orchestrator_approvals USING btree (agent_id, request_id);


--
-- Name: orchestrator_approvals_agent_id_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_agent_id_seq_page ON public.orchestrator_approvals USING btree (agent_id, seq);


--
-- Name: orchestrator_approvals_agent_id_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_agent_id_status_seq_page ON public.orchestrator_approvals USING btree (agent_id, status, seq);


--
-- Name: orchestrator_approvals_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_status_index ON public.orchestrator_approvals USING btree (status);


--
-- Name: orchestrator_approvals_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_status_seq_page ON public.orchestrator_approvals USING btree (status, seq);


--
-- Name: orchestrator_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_audit_kind_resource_id_index ON public.orchestrator_audit USING btree (kind, resource_id);


--
-- Name: orchestrator_dispatches_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_status_index ON public.orchestrator_dispatches USING btree (status);


--
-- Name: orchestrator_dispatches_workflow_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_workflow_id_index ON public.orchestrator_dispatches USING btree (workflow_id);


--
-- Name: orchestrator_dispatches_workflow_id_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_workflow_id_seq_page ON public.orchestrator_dispatches USING btree (workflow_id, seq);


--
-- Name: orchestrator_dispatches_workflow_id_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_workflow_id_status_seq_page ON public.orchestrator_dispatches USING btree (workflow_id, status, seq);


--
-- Name: orchestrator_prompts_agent_id_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_prompts_agent_id_seq_page ON public.orchestrator_prompts USING btree (agent_id, seq);


--
-- Name: orchestrator_prompts_agent_id_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_prompts_agent_id_status_index ON public.orchestrator_prompts USING btree (agent_id, status);


--
-- Name: orchestrator_prompts_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_prompts_status_seq_page ON public.orchestrator_prompts USING btree (status, seq);


--
-- Name: orchestrator_queue_tasks_claim; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_claim ON public.orchestrator_queue_tasks USING btree (queue_name, status, priority DESC, seq);


--
-- Name: orchestrator_queue_tasks_dispatch_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_dispatch_id_index ON public.orchestrator_queue_tasks USING btree (dispatch_id);


--
-- Name: orchestrator_queue_tasks_queue_name_status_visible_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_queue_name_status_visible_at_index ON public.orchestrator_queue_tasks USING btree (queue_name, status, visible_at);


--
-- Name: orchestrator_queue_tasks_status_ended_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_status_ended_at_index ON public.orchestrator_queue_tasks USING btree (status, ended_at);


--
-- Name: orchestrator_room_prompts_agent_id_room_id_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_room_prompts_agent_id_room_id_seq_index ON public.orchestrator_room_prompts USING btree (agent_id, room_id, seq);


--
-- Name: orchestrator_room_prompts_status_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_room_prompts_status_seq_index ON public.orchestrator_room_prompts USING btree (status, seq);


--
-- Name: orchestrator_transcript_agent_id_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_transcript_agent_id_seq_index ON public.orchestrator_transcript USING btree (agent_id, seq);


--
-- Name: orchestrator_transcript_timestamp_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_transcript_timestamp_index ON public.orchestrator_transcript USING btree ("timestamp");


--
-- Name: orchestrator_workflows_agent_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_workflows_agent_id_index ON public.orchestrator_workflows USING btree (agent_id);


--
-- Name: wrap_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wrap_audit_kind_resource_id_index ON public.wrap_audit USING btree (kind, resource_id);


--
-- Name: wrap_launches_created_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wrap_launches_created_at_index ON public.wrap_launches USING btree (created_at);


--
-- Name: controller_steps controller_steps_run_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_steps
    ADD CONSTRAINT controller_steps_run_id_foreign FOREIGN KEY (run_id) REFERENCES public.controller_runs(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict RjHotbNTznp5WeFQuRQfoKzicMxi4maAL72bLxRy2NewWfc3f6tjkQkUHYneZi2

