//! ComfyUI's HTTP and WebSocket protocol, served.
