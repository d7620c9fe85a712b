let message;
try { call_tool('ask', { number: 1 }); } catch (error) { message = error.message; }
message
