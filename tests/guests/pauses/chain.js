let total = 0;
for (let number = 0; number < 200; number++) total += call_tool('ask', { number });
total
